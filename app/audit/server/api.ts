import type { AuditedRows } from '#app/shared/server/domain-module.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { offsetOf, setPagingHeaders } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { AUDIT_PAGE_SIZE, type auditCalls } from '../admin-contract.ts'
import { namedIdsIn, presentEntry } from './presenter.ts'
import { countEntries, selectEntries, selectNames } from './store.ts'

export const auditHandlers = (
  db: Database,
  auditedRows: AuditedRows,
): Handlers<typeof auditCalls> => ({
  async getAuditLog({ query: { page = 1, ...filter }, request, reply }) {
    const size = AUDIT_PAGE_SIZE
    const [rows, total] = await Promise.all([
      selectEntries(db, auditedRows, filter, { limit: size, offset: offsetOf(page, size) }),
      countEntries(db, filter),
    ])
    setPagingHeaders(request, reply, { page, size, total })
    const names = await selectNames(db, namedIdsIn(rows))
    return rows.map((row) => presentEntry(row, names))
  },
})
