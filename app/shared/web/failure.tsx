import { createContext as createReactContext, use, useState } from 'react'
import { createContext, type data, isRouteErrorResponse, useRevalidator } from 'react-router'
import { UNREACHABLE } from '../model/messages.ts'
import { CallFailure } from './call.ts'
import { PageHead } from './head.tsx'

/** Data thrown by a loader, before the router wraps it in an error response. */
export const isThrownData = (error: unknown): error is ReturnType<typeof data<unknown>> =>
  error instanceof Object && 'init' in error && 'data' in error

/** The body of an error response: the server's message, and the request id, if the shop failed. */
function bodyOf(error: unknown): { message?: string | null; requestId?: string | null } {
  if (error instanceof CallFailure)
    return { message: error.serverMessage, requestId: error.requestId }
  return isRouteErrorResponse(error) || isThrownData(error) ? Object(error.data) : {}
}

/** The HTTP status of a page's error; 503 for a call that was not answered. */
export function statusOf(error: unknown): number {
  if (error instanceof CallFailure) return error.status || 503
  if (isRouteErrorResponse(error)) return error.status
  return (isThrownData(error) && error.init?.status) || 500
}

const TEXTS: Partial<Record<number, string>> = {
  404: 'Oops ! Page Not Found',
  503: UNREACHABLE,
}

/** The message of an error: the one of its status, else the server's. */
export const textOf = (error: unknown, status = statusOf(error)): string =>
  TEXTS[status] ?? bodyOf(error).message ?? 'Something went wrong'

/** Whether the same request may succeed a moment later. */
export const isTemporary = (status: number) => status >= 500 || status === 429

/** Callbacks from the renderer to the server. */
type PageReport = {
  /** The id of the page's request. */
  requestId: string | null
  /** The route pattern that matched, such as `/category/:slug`. */
  matched: (pattern: string) => void
  /** The page was rendered: its response has no body, which would be encoded and decoded again. */
  rendered: (html: string) => void
  /** An unexpected error occurred. */
  failed: (error: unknown) => void
}

export const pageReportContext = createContext<PageReport>({
  requestId: null,
  matched() {},
  rendered() {},
  failed() {},
})

/** The id of the request that the page is rendered for; undefined in the browser. */
export const RenderedFor = createReactContext<string | null>(null)

/** The id of the failed request in the shop's log. */
function Reference({ error }: { error: unknown }) {
  const page = use(RenderedFor)
  const reference = bodyOf(error).requestId ?? page
  // only the server knows the page's own; in the browser the rendered text stays
  return (
    <p className="text-sm opacity-70" suppressHydrationWarning>
      {reference && `Reference: ${reference}`}
    </p>
  )
}

type Props = { error: unknown; status?: never } | { error?: never; status: number }

/** The page of an error, or of a status: a message, and links out. */
export function ErrorPage({ error, status = statusOf(error) }: Props) {
  const text = textOf(error, status)
  return (
    <section className="mx-auto flex max-w-xl flex-col items-center gap-6 px-4 py-24 text-center">
      <PageHead title={text} hidden />
      <p className="font-display text-8xl text-primary sm:text-9xl">{status}</p>
      <h1 className="text-2xl sm:text-3xl">{text}</h1>
      <div className="flex gap-3">
        {isTemporary(status) && <TryAgain />}
        <a href="/" className={`btn ${isTemporary(status) ? '' : 'btn-primary'}`}>
          Go Back
        </a>
      </div>
      {status >= 500 && <Reference error={error} />}
    </section>
  )
}

/** Reloads the page's data. The button keeps the keyboard's focus. */
function TryAgain() {
  const { revalidate, state } = useRevalidator()
  return (
    <button
      type="button"
      aria-disabled={state === 'loading'}
      onClick={revalidate}
      className="btn btn-primary needs-script"
    >
      Try again
    </button>
  )
}

/** Says that content could not be loaded: in its place, or above what was loaded before. */
export const NotLoaded = () => (
  <div className="surface space-y-4 px-6 py-16 text-center">
    <p role="alert" className="text-lg">
      This could not be loaded.
    </p>
    <TryAgain />
  </div>
)

/**
 * The data loaded last: a failed reload (null) does not replace it, so that the page keeps what was
 * entered in it. Data of another `key`, such as another search, is not kept.
 */
export function useLastLoaded<T>(loaded: T | null, key = ''): T | null {
  const [last, setLast] = useState({ loaded, key })
  const isKept = key === last.key && (loaded === null || loaded === last.loaded)
  if (isKept) return last.loaded
  setLast({ loaded, key })
  return loaded
}

/** Logs to the browser's console (spec §8: logged only). */
export const log = (error: unknown) => console.warn(error)
