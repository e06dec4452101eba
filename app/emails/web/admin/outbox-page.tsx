import { useId } from 'react'
import { StateFilter } from '#app/back-office/filters.tsx'
import { ListPage } from '#app/back-office/list-page.tsx'
import { Time } from '#app/back-office/time.tsx'
import { EMAIL_STATES, emailAdminCalls, type ListedEmail } from '#app/emails/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { ListSearch } from '#app/shared/web/list.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'
import { useShop } from '#app/shared/web/shop.ts'
import type { Route } from './+types/outbox-page.ts'
import { KIND_NAMES, STATES, StateBadge, Undelivered } from './email-state.tsx'
import { ParkedEmails } from './parked-emails.tsx'

export const clientLoader = async ({ context, request }: Route.ClientLoaderArgs) => {
  const { searchParams } = new URL(request.url)
  const state = EMAIL_STATES.find((one) => one === searchParams.get('state'))
  const q = searchParams.get('q') ?? undefined
  const query = { page: pageOf(searchParams), ...(state && { state }), ...(q && { q }) }
  const { counted } = context.get(callContext)
  const found = await loadOrToast(
    Promise.all([
      counted(emailAdminCalls.getEmails, { query }),
      counted(emailAdminCalls.getEmails, { query: { state: 'parked' } }),
    ]),
    'The e-mails could not be loaded.',
  )
  return { found: found && { ...found[0], parked: found[1].total }, state, q }
}

/** The e-mails of the last 90 days, newest first. */
export default function OutboxPage({ loaderData: { found, state, q } }: Route.ComponentProps) {
  const { sendsEmail } = useShop()
  return (
    <ListPage
      title="Outbox"
      label="E-mails"
      what="e-mail"
      found={found}
      entry={(email) => <ListedEmailCard email={email} />}
      empty={state || q ? 'There are no such e-mails.' : 'There are no e-mails yet.'}
      tools={
        <div className="flex flex-wrap items-end gap-4 max-sm:w-full">
          <ListSearch label="Recipient" />
          <StateFilter state={state} states={EMAIL_STATES} nameOf={(one) => STATES[one].name} />
        </div>
      }
      above={(last) => (
        <>
          {!sendsEmail && (
            <p className="surface border-s-4 border-s-warning p-4">
              The shop has no SMTP server, so e-mails do not reach customers. They are written to
              the folder emails of the data folder. Set SMTP_URL to send them.
            </p>
          )}
          {last && last.parked > 0 && <ParkedEmails count={last.parked} />}
        </>
      )}
    />
  )
}

/** An e-mail in the list: its subject, its recipient, and what happened to it. */
function ListedEmailCard({ email }: { email: ListedEmail }) {
  const { _id: id, kind, state, subject, recipient, createdAt } = email
  const subjectId = useId()
  return (
    <article
      aria-labelledby={subjectId}
      className="wrap-anywhere grid gap-x-6 gap-y-2 p-4 sm:px-6 lg:grid-cols-[minmax(0,1fr)_16rem]"
    >
      <div className="space-y-1">
        <h2 id={subjectId} className="font-semibold">
          <a href={href('/dashboard/admin/email/:id', { id })} className="link link-hover">
            {subject}
          </a>
        </h2>
        <p className="text-base-content/75 text-sm">
          To {recipient} · {KIND_NAMES[kind]} · <Time at={createdAt} />
        </p>
      </div>
      <div className="space-y-2 text-sm">
        <p>
          <StateBadge state={state} />
        </p>
        <p className="text-base-content/75">{STATES[state].text(email)}</p>
        <Undelivered email={email} describedBy={subjectId} />
      </div>
    </article>
  )
}
