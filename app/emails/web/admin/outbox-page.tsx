import { useLocation } from 'react-router'
import { StateFilter } from '#app/back-office/filters.tsx'
import { EMAIL_STATES, EMAILS_PAGE_SIZE, emailAdminCalls } from '#app/emails/admin-contract.ts'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { ListSearch, ListTitle, Pages } from '#app/shared/web/list.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import type { Route } from './+types/outbox-page.ts'
import { STATE_NAMES } from './labels.ts'
import { ListedEmailCard } from './listed-email-card.tsx'
import { ParkedEmails } from './parked-emails.tsx'

export const clientLoader = async ({ context, request }: Route.ClientLoaderArgs) => {
  const { searchParams } = new URL(request.url)
  const page = pageOf(searchParams)
  const state = EMAIL_STATES.find((one) => one === searchParams.get('state'))
  const q = searchParams.get('q') ?? undefined
  const query = { page, ...(state && { state }), ...(q && { q }) }
  const { counted } = context.get(callContext)
  const found = await loadOrToast(
    Promise.all([
      counted(emailAdminCalls.getEmails, { query }),
      counted(emailAdminCalls.getEmails, { query: { state: 'parked' } }),
    ]),
    'The e-mails could not be loaded.',
  )
  return { found: found && { ...found[0], parked: found[1].total }, page, state, q }
}

/** The e-mails of the last 90 days, newest first. */
export default function OutboxPage({ loaderData }: Route.ComponentProps) {
  const { found, page, state, q } = loaderData
  const last = useLastLoaded(found, useLocation().search)
  const { sendsEmail } = useShop()
  return (
    <section className="space-y-6">
      <PageHead title="Outbox" hidden />
      <header className="flex flex-wrap items-end justify-between gap-4">
        <ListTitle title="Outbox" counted={last && pluralize(last.total, 'e-mail', false)} />
        <div className="flex flex-wrap items-end gap-4 max-sm:w-full">
          <ListSearch label="Recipient" />
          <StateFilter state={state} states={EMAIL_STATES} names={STATE_NAMES} />
        </div>
      </header>
      {!sendsEmail && (
        <p className="surface border-s-4 border-s-warning p-4">
          The shop has no SMTP server, so e-mails do not reach customers. They are written to the
          folder emails of the data folder. Set SMTP_URL to send them.
        </p>
      )}
      {last && last.parked > 0 && <ParkedEmails count={last.parked} />}
      {!found && <NotLoaded />}
      {last && (
        <>
          <ul aria-label="E-mails" className="surface divide-y divide-base-300">
            {last.items.map((email) => (
              <li key={email._id}>
                <ListedEmailCard email={email} />
              </li>
            ))}
            {last.items.length === 0 && (
              <li className="px-6 py-16 text-center text-lg">
                {state || q ? 'There are no such e-mails.' : 'There are no e-mails yet.'}
              </li>
            )}
          </ul>
          <Pages page={page} total={last.total} pageSize={EMAILS_PAGE_SIZE} />
        </>
      )}
    </section>
  )
}
