import { Card, Facts, Page } from '#app/back-office/kit/page.tsx'
import { Time } from '#app/back-office/kit/time.tsx'
import { emailAdminCalls } from '#app/emails/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { ErrorPage, useLastLoaded } from '#app/shared/web/failure.tsx'
import { loadOrFailure } from '#app/shared/web/load.ts'
import type { Route } from './+types/email-page.ts'
import { describeState, kindName, SendAgain, StateBadge } from './email-state.tsx'

export const clientLoader = ({ params }: Route.ClientLoaderArgs) =>
  loadOrFailure(call(emailAdminCalls.getEmail, { params }))

/** Makes a frame as high as its document, also after a picture of it is loaded. */
function fitHeight(frame: HTMLIFrameElement) {
  const root = frame.contentDocument?.documentElement
  if (!root) return
  const fit = () => {
    frame.style.height = `${root.offsetHeight}px`
  }
  new ResizeObserver(fit).observe(root)
}

/** An e-mail as its recipient sees it, and what happened to it. */
export default function EmailPage({
  loaderData: { loaded, failure },
  params: { id },
}: Route.ComponentProps) {
  const email = useLastLoaded(loaded, id)
  if (!email) return <ErrorPage error={failure} />
  const { subject, html, text, hidesLink, kind, state, recipient, createdAt, lastError } = email
  return (
    <Page title={subject} back={{ href: href('/dashboard/admin/outbox'), label: 'Outbox' }}>
      <Card>
        <Facts
          facts={[
            ['To', recipient],
            ['Kind', kindName(kind)],
            ['Written', <Time key="time" at={createdAt} />],
            [
              'State',
              <span key="state" className="flex flex-wrap items-center gap-2">
                <StateBadge state={state} /> {describeState(email)}
                <SendAgain email={email} />
              </span>,
            ],
            ['Last error', lastError],
          ]}
        />
        {hidesLink && <p>Its link is shown without its secret, which only the recipient gets.</p>}
      </Card>
      {/* without scripts, forms or links that open; of the shop's origin, so that its height can be read */}
      <iframe
        title={`The e-mail “${subject}”`}
        sandbox="allow-same-origin"
        srcDoc={html}
        onLoad={({ currentTarget }) => fitHeight(currentTarget)}
        className="surface h-160 w-full"
      />
      <details className="surface p-4">
        <summary className="cursor-pointer font-semibold">Plain text</summary>
        <pre className="wrap-anywhere mt-4 whitespace-pre-wrap">{text}</pre>
      </details>
    </Page>
  )
}
