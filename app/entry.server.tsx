import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { renderToPipeableStream } from 'react-dom/server'
import {
  createContext,
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import { pageReportContext, RenderedFor } from './shared/web/failure/page-report.ts'

// The server sets these for every page. Contexts and errors are compared by identity,
// so the server imports them from this module.
export { callThrough } from './shared/web/call.ts'
export { pageReportContext } from './shared/web/failure/page-report.ts'
export { callContext } from './shared/web/load.ts'
export { shopContext } from './shared/web/shop-context.ts'

/**
 * The nonce with which the renderer marks its own inline scripts. The Content-Security-Policy
 * allows only marked scripts, by their hashes; the mark itself is removed, so the page is the same
 * for every visitor.
 */
export const scriptMarkContext = createContext('')

/** The route pattern of a page, such as `/category/:slug`. */
const patternOf = ({ staticHandlerContext: { matches } }: EntryContext) =>
  matches.reduce((address, { route }) => `${address}/${route.path ?? ''}`, '').replace(/\/+/g, '/')

/** Renders a page completely before sending it: it is cached, so streaming would gain nothing. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  given: RouterContextProvider,
): Promise<Response> {
  const nonce = given.get(scriptMarkContext)
  const report = given.get(pageReportContext)
  report.matched(patternOf(context))
  const page = (
    <RenderedFor value={report.requestId}>
      <ServerRouter context={context} url={request.url} nonce={nonce} />
    </RenderedFor>
  )
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      nonce,
      // otherwise what is behind a large Suspense boundary would be moved into place by a script
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady() {
        headers.set('Content-Type', 'text/html; charset=utf-8')
        const body = pipe(new PassThrough())
        buffer(body).then((whole) => resolve(new Response(whole, { headers, status })), reject)
      },
      onShellError: reject,
    })
  })
}

/** Unexpected errors of a page go to the server's log instead of the console. */
export const handleError: HandleErrorFunction = (error, { context }) =>
  context.get(pageReportContext).failed(error)
