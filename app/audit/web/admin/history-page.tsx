import { AUDIT_PAGE_SIZE, type AuditEntry, auditCalls } from '#app/audit/admin-contract.ts'
import { NotLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { ListTitle, Pages } from '#app/shared/web/list.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'
import type { Route } from './+types/history-page.ts'
import { EntryItem } from './entry-item.tsx'
import { filterOf, HistorySearch } from './history-search.tsx'

export const clientLoader = async ({ context, request }: Route.ClientLoaderArgs) => {
  const { searchParams } = new URL(request.url)
  const page = pageOf(searchParams)
  const filter = filterOf(searchParams)
  const found = await loadOrToast(
    context.get(callContext).counted(auditCalls.getAuditLog, { query: { page, ...filter } }),
    'The history could not be loaded.',
  )
  return { found, page, filter }
}

const counted = (total: number) =>
  `${total.toLocaleString('en-US')} ${total === 1 ? 'change' : 'changes'}`

function titleOf(entries: AuditEntry[] = [], id: string | undefined): string {
  const object = entries.find((entry) => entry.object._id === id)?.object
  if (!object?.name) return 'History'
  return `History of ${object.kind === 'orders' ? `order ${object.name}` : object.name}`
}

/** The time zone of the browser. */
const zone = () => new Intl.DateTimeFormat('en-US').resolvedOptions().timeZone

const personOf = (entries: AuditEntry[] = [], id: string | undefined) =>
  entries.find(({ actor }) => actor._id === id)?.actor.name ?? undefined

/** The audit log, newest first, filtered by object, kind, actor and days. */
export default function HistoryPage({ loaderData: { found, page, filter } }: Route.ComponentProps) {
  const title = titleOf(found?.items, filter.object)
  return (
    <section className="space-y-6">
      <PageHead title={title} hidden />
      <header>
        <ListTitle title={title} counted={found && counted(found.total)} />
        <p className="text-base-content/75 text-sm">Times are those of {zone()}.</p>
      </header>
      <HistorySearch filter={filter} person={personOf(found?.items, filter.actor)} />
      {found ? (
        <>
          <ul aria-label="Changes" className="surface divide-y divide-base-300">
            {found.items.map((entry) => (
              <li key={entry._id}>
                <EntryItem entry={entry} />
              </li>
            ))}
            {found.items.length === 0 && (
              <li className="px-6 py-16 text-center text-lg">
                {found.total > 0 ? 'There is no such page.' : 'Nothing was changed.'}
              </li>
            )}
          </ul>
          <Pages page={page} total={found.total} pageSize={AUDIT_PAGE_SIZE} />
        </>
      ) : (
        <NotLoaded />
      )}
    </section>
  )
}
