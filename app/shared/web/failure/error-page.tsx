import { use } from 'react'
import { Link } from 'react-router'
import { PageHead } from '../page-head.tsx'
import { isTemporary, referenceOf, statusOf, textOf } from './error-status.ts'
import { RenderedFor } from './page-report.ts'
import { TryAgain } from './try-again.tsx'

/** Names the request that failed, so that the shop finds it in its log. */
function Reference({ error }: { error: unknown }) {
  const page = use(RenderedFor)
  const reference = referenceOf(error) ?? page
  // only the server knows the page's own; in the browser its text stays
  return (
    <p className="text-sm opacity-70" suppressHydrationWarning>
      {reference && `Reference: ${reference}`}
    </p>
  )
}

type Props = {
  /** Said by the error itself where it is not given here. */
  status?: number
  serverMessage?: string | null
  error?: unknown
}

/** What stands in the place of a page that cannot be shown: the status, a sentence, a way out. */
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
        <Link to="/" className={`btn ${isTemporary(shown) ? '' : 'btn-primary'}`}>
          Go Back
        </Link>
      </div>
      {shown >= 500 && <Reference error={error} />}
    </section>
  )
}
