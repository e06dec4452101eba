import { DAYS, type Filter, loadList } from '#app/back-office/kit/list-query.ts'
import { Card } from '#app/back-office/kit/page.tsx'
import type { Column } from '#app/back-office/kit/table.client.tsx'
import { TablePage } from '#app/back-office/kit/table-page.tsx'
import { EMAIL_STATES, emailAdminCalls, type ListedEmail } from '#app/emails/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { useLastLoaded } from '#app/shared/web/failure.tsx'
import { loadOrLog } from '#app/shared/web/load.ts'
import { useShop } from '#app/shared/web/shop.ts'
import type { Route } from './+types/outbox-page.ts'
import { describeState, ParkedEmails, SendAgain, StateBadge, stateName } from './email-state.tsx'

const FILTERS: Filter[] = [
  {
    name: 'state',
    kind: 'tabs',
    options: [
      { value: '', label: 'All' },
      { value: 'undelivered', label: 'Not delivered' },
      ...EMAIL_STATES.map((value) => ({ value, label: stateName(value) })),
    ],
  },
  ...DAYS,
]

export const clientLoader = async (args: Route.ClientLoaderArgs) => {
  const { getEmails } = emailAdminCalls
  const [list, parked] = await Promise.all([
    loadList(args, getEmails, FILTERS, 'The e-mails could not be loaded.'),
    loadOrLog(call.counted(getEmails, { query: { state: 'parked' } })),
  ])
  return { ...list, parked }
}

const COLUMNS: Column<ListedEmail>[] = [
  { header: 'Subject', csv: ({ subject }) => subject, phone: 'title' },
  { header: 'Recipient', csv: ({ recipient }) => recipient },
  { header: 'Written', at: ({ createdAt }) => createdAt },
  {
    header: 'State',
    cell: (email) => (
      <div className="wrap-anywhere flex flex-wrap items-center gap-x-2 gap-y-1">
        <StateBadge state={email.state} />
        {email.state !== 'sent' && email.state !== 'kept' && describeState(email)}
        <SendAgain email={email} />
      </div>
    ),
    csv: ({ state }) => stateName(state),
    phone: 'break',
  },
  {
    header: 'Last error',
    cell: ({ lastError }) => <span className="wrap-anywhere text-error">{lastError}</span>,
    csv: ({ lastError }) => lastError ?? '',
    phone: 'break',
  },
]

/** The e-mails of the last 90 days, newest first. */
export default function OutboxPage({ loaderData: { parked, ...list } }: Route.ComponentProps) {
  // a failed reload does not close their dialog
  const count = useLastLoaded(parked)?.total ?? 0
  const { sendsEmail } = useShop()
  return (
    <TablePage
      {...list}
      title="Outbox"
      what="e-mail"
      columns={COLUMNS}
      nameOf={({ subject }) => subject}
      open={({ _id: id }) => href('/dashboard/admin/email/:id', { id })}
      searchLabel="Recipient"
      empty="There are no such e-mails."
      above={
        <>
          {!sendsEmail && (
            <Card>
              <p>
                E-mail is not set up, so customers get none. What they would get is listed here.{' '}
                <a
                  href={href('/dashboard/admin/settings/:page', { page: 'email' })}
                  className="link"
                >
                  Set up e-mail
                </a>
              </p>
            </Card>
          )}
          {count > 0 && <ParkedEmails count={count} />}
        </>
      }
    />
  )
}
