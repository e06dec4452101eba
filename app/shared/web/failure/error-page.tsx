import { use } from 'react'
import { PageHead } from '../page-head.tsx'
import { isTemporary, referenceOf, statusOf, textOf } from './error-status.ts'
import { RenderedFor } from './page-report.ts'
import { TryAgain } from './try-again.tsx'

/** The id of the failed request in the shop's log. */
function Reference({ error }: { error: unknown }) {
  const page = use(RenderedFor)
  const reference = referenceOf(error) ?? page
  // only the server knows the page's own; in the browser the rendered text stays
  return (
    <p className="text-sm opacity-70" suppressHydrationWarning>
      {reference && `Reference: ${reference}`}
    </p>
  )
}

type Props = {
  /** The error's own message by default. */
  status?: number
  serverMessage?: string | null
  error?: unknown
}

/** The error page: a status, a message, and links out. */
export function ErrorPage({ status, serverMessage, error }: Props) {
  const shown = status ?? statusOf(error)
  const text = textOf(error, shown, serverMessage)
  return (
    <section className="mx-auto flex max-w-xl flex-col items-center gap-6 px-4 py-24 text-center">
      <PageHead title={text} hidden />
      <p className="font-display text-8xl text-primary sm:text-9xl">{shown}</p>
      <h1 className="text-2xl sm:text-3xl">{text}</h1>
      <div className="flex gap-3">
        {isTemporary(shown) && <TryAgain />}
        <a href="/" className={`btn ${isTemporary(shown) ? '' : 'btn-primary'}`}>
          Go Back
        </a>
      </div>
      {shown >= 500 && <Reference error={error} />}
    </section>
  )
}
