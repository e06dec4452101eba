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

// the server sets these for every page it renders; contexts and errors are compared by identity,
// so it takes them from here
export { callThrough } from './shared/web/call.ts'
export { pageReportContext } from './shared/web/failure/page-report.ts'
export { callContext } from './shared/web/load.ts'
export { shopContext } from './shared/web/shop-context.ts'

/**
 * What the renderer marks its own inline scripts with. Only marked ones are let run by the page's
 * Content-Security-Policy; the mark itself is taken out of the page, which stays the same bytes
 * for everybody.
 */
export const scriptMarkContext = createContext('')

/** The site map's address of a page, such as `/category/:slug`. */
const patternOf = ({ staticHandlerContext: { matches } }: EntryContext) =>
  matches.reduce((address, { route }) => `${address}/${route.path ?? ''}`, '').replace(/\/+/g, '/')

/** Renders a page whole: it is kept and sent again, so nothing is gained by sending it in pieces. */
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
      onAllReady() {
        headers.set('Content-Type', 'text/html; charset=utf-8')
        const body = pipe(new PassThrough())
        buffer(body).then((whole) => resolve(new Response(whole, { headers, status })), reject)
      },
      onShellError: reject,
    })
  })
}

/** What a page did not expect goes to the server's log, not to the console. */
export const handleError: HandleErrorFunction = (error, { context }) =>
  context.get(pageReportContext).failed(error)
