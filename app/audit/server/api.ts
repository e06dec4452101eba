import type { AuditedRows } from '#app/shared/server/domain-module.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { setPagingHeaders, sliceOf } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import type { auditCalls } from '../admin-contract.ts'
import { namedIdsIn, presentEntry } from './presenter.ts'
import { countEntries, selectEntries, selectNames } from './store.ts'

export const auditHandlers = (
  db: Database,
  auditedRows: AuditedRows,
): Handlers<typeof auditCalls> => ({
  async getAuditLog({ query: { page, ...filter }, request, reply }) {
    const [rows, total] = await Promise.all([
      selectEntries(db, auditedRows, filter, sliceOf(page)),
      countEntries(db, filter),
    ])
    setPagingHeaders(request, reply, { page, total })
    const names = await selectNames(db, namedIdsIn(rows))
    return rows.map((row) => presentEntry(row, names))
  },
})
