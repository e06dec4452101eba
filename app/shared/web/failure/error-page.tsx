import { Link } from 'react-router'
import { PageHead } from '../page-head.tsx'
import { TryAgain } from './try-again.tsx'

const TEXTS: Partial<Record<number, string>> = {
  404: 'Oops ! Page Not Found',
  503: 'The shop cannot be reached just now. Please try again.',
}

/** What the server could not do, or not so soon, it may do a moment later. */
const mayPass = (status: number) => status >= 500 || status === 429

/** What stands in the place of a page that cannot be shown: the status, a sentence, a way out. */
export function ErrorPage({ status, said }: { status: number; said?: string | null }) {
  const text = TEXTS[status] ?? said ?? 'Something went wrong'
  return (
    <section className="mx-auto flex max-w-xl flex-col items-center gap-6 px-4 py-24 text-center">
      <PageHead title={text} hidden />
      <p className="font-display text-8xl text-primary sm:text-9xl">{status}</p>
      <h1 className="text-2xl sm:text-3xl">{text}</h1>
      <div className="flex gap-3">
        {mayPass(status) && <TryAgain />}
        <Link to="/" className={`btn ${mayPass(status) ? '' : 'btn-primary'}`}>
          Go Back
        </Link>
      </div>
    </section>
  )
}
