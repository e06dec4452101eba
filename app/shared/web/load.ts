import { createContext, data, type RouterContextProvider } from 'react-router'
import { call as browserCall } from './browser-call.ts'
import { type Call, CallFailure } from './call.ts'

/**
 * The call function of loaders. The server sets one that stays in the process; the browser uses the
 * default, so `loader` and `clientLoader` can be one function.
 */
export const callContext = createContext<Call>(browserCall)

/** Arguments of a loader, on the server and in the browser. */
export type LoadArgs<Params = Record<string, string | undefined>> = {
  params: Params
  request: Request
  context: Readonly<RouterContextProvider>
}

/** Converts a failed call to a route error of its status, which the page's error boundary shows. */
const asRouteError = (error: unknown): never => {
  if (error instanceof CallFailure) {
    const { serverMessage: message, code } = error
    const status = code === 'gone' ? 410 : error.status || 503
    // only for failures of the shop: a 404 page is the same for every visitor
    const requestId = status >= 500 ? error.requestId : null
    throw data({ message, code, requestId }, { status })
  }
  throw error
}

/** The call function of this load, whose failures are route errors. */
export function callOf({ context }: Pick<LoadArgs, 'context'>): Call {
  const call = context.get(callContext)
  const loading = ((...input: Parameters<Call>) => call(...input).catch(asRouteError)) as Call
  loading.counted = ((...input: Parameters<Call>) =>
    call.counted(...input).catch(asRouteError)) as Call['counted']
  return loading
}
