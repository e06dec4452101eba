import { Time } from '#app/back-office/time.tsx'
import { type EmailContents, emailAdminCalls } from '#app/emails/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { ErrorPage, useLastLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { callContext, loadOrFailure } from '#app/shared/web/load.ts'
import type { Route } from './+types/email-page.ts'
import { KIND_NAMES, STATES, StateBadge, Undelivered } from './email-state.tsx'

export const clientLoader = ({ context, params }: Route.ClientLoaderArgs) =>
  loadOrFailure(context.get(callContext)(emailAdminCalls.getEmail, { params }))

/** An e-mail as its recipient sees it, and what happened to it. */
export default function EmailPage({
  loaderData: { loaded, failure },
  params: { id },
}: Route.ComponentProps) {
  const email = useLastLoaded(loaded, id)
  if (!email) return <ErrorPage error={failure} />
  const { subject, html, text, hidesLink } = email
  return (
    <section className="space-y-6">
      <PageHead title={subject} hidden />
      <header className="space-y-2">
        <p>
          <a href={href('/dashboard/admin/outbox')} className="link">
            Outbox
          </a>
        </p>
        <h1 id="subject" className="wrap-anywhere text-3xl">
          {subject}
        </h1>
      </header>
      <Delivery email={email} />
      {hidesLink && (
        <p className="surface p-4 text-sm">
          Its link is shown without its secret, which only the recipient gets.
        </p>
      )}
      {/* without scripts, forms, links that open, or the shop's origin */}
      <iframe
        title={`The e-mail “${subject}”`}
        sandbox=""
        srcDoc={html}
        className="surface h-160 w-full"
      />
      <details className="surface p-4">
        <summary className="cursor-pointer font-semibold">Plain text</summary>
        <pre className="wrap-anywhere mt-4 whitespace-pre-wrap text-sm">{text}</pre>
      </details>
    </section>
  )
}

function Delivery({ email }: { email: EmailContents }) {
  const { kind, state, recipient, createdAt } = email
  return (
    <div className="surface wrap-anywhere space-y-3 p-4">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <dt className="text-base-content/75">To</dt>
        <dd>{recipient}</dd>
        <dt className="text-base-content/75">Kind</dt>
        <dd>{KIND_NAMES[kind]}</dd>
        <dt className="text-base-content/75">Written</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt className="text-base-content/75">State</dt>
        <dd>
          <StateBadge state={state} /> {STATES[state].text(email)}
        </dd>
      </dl>
      <Undelivered email={email} describedBy="subject" />
    </div>
  )
}
