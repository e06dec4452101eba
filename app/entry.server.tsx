import { text } from 'node:stream/consumers'
import { renderToString } from 'react-dom/server'
import {
  createContext,
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import { pageReportContext, RenderedFor } from './shared/web/failure.tsx'
import { ScriptMark } from './shared/web/head-scripts.ts'

// The server sets these for every page. Contexts and errors are compared by identity,
// so the server imports them from this module.
export { CallFailure, callBy } from './shared/web/call.ts'
export { pageReportContext } from './shared/web/failure.tsx'
export { callContext } from './shared/web/load.ts'
export { shopContext } from './shared/web/shop.ts'

/**
 * The nonce with which the renderer marks its own inline scripts. The Content-Security-Policy
 * allows only marked scripts, by their hashes; the mark itself is removed, so the page is the same
 * for every visitor.
 */
export const scriptMarkContext = createContext('')

/** The route pattern of a page, such as `/category/:slug`. */
const patternOf = ({
  staticHandlerContext: { matches },
}: Pick<EntryContext, 'staticHandlerContext'>) =>
  matches.reduce((address, { route }) => `${address}/${route.path ?? ''}`, '').replace(/\/+/g, '/')

const UNSAFE = /[&<>\u2028\u2029]/g
const escaped = (json: string) =>
  json.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The script by which the browser's router receives the data of the loaders. */
const dataScript = (data: string, nonce: string) =>
  `<script nonce="${nonce}">window.__reactRouterContext.streamController.enqueue(${escaped(JSON.stringify(data))});window.__reactRouterContext.streamController.close()</script>`

const PRELOAD = '<link rel="modulepreload"'
/** Leaves the connection to fonts and pictures first: pages work before their scripts have arrived. */
const withLatePreloads = (html: string) =>
  html.replaceAll(PRELOAD, `${PRELOAD} fetchpriority="low"`)

const START = '<!DOCTYPE html>'
const END = '</body></html>'

/**
 * Renders a page completely before sending it: it is cached, so streaming would gain nothing. React
 * takes a fifth less time for a string than for a stream. A string cannot wait for the stream of the
 * loaders' data, so that is read first, and its script is appended.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  { serverHandoffStream, ...context }: EntryContext,
  given: RouterContextProvider,
): Promise<Response> {
  const nonce = given.get(scriptMarkContext)
  const report = given.get(pageReportContext)
  report.matched(patternOf(context))
  const data = serverHandoffStream ? await text(serverHandoffStream) : ''
  const html = renderToString(
    <RenderedFor value={report.requestId}>
      <ScriptMark value={nonce}>
        <ServerRouter context={context} url={request.url} nonce={nonce} />
      </ScriptMark>
    </RenderedFor>,
  )
  if (!html.endsWith(END)) throw new Error('A page has no end.')
  headers.set('Content-Type', 'text/html; charset=utf-8')
  const body = withLatePreloads(html.slice(0, -END.length))
  report.rendered(START + body + dataScript(data, nonce) + END)
  return new Response(null, { headers, status })
}

/** Unexpected errors of a page go to the server's log instead of the console. */
export const handleError: HandleErrorFunction = (error, { context }) =>
  context.get(pageReportContext).failed(error)
