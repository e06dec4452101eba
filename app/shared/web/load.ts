import { createContext, data, type RouterContextProvider } from 'react-router'
import { call as browserCall } from './browser-call.ts'
import { type Call, CallFailure } from './call.ts'

/**
 * The call that loaders use. The server sets one that never leaves the process; in the browser
 * the default holds, so `loader` and `clientLoader` are one function.
 */
export const callContext = createContext<Call>(browserCall)

/** What a page loads with: on the server and in the browser alike. */
export type LoadArgs<Params = Record<string, string | undefined>> = {
  params: Params
  request: Request
  context: Readonly<RouterContextProvider>
}

/** A failed call becomes the route error of its status, so that a page's error boundary shows it. */
const asRouteError = (error: unknown): never => {
  if (error instanceof CallFailure) {
    const { serverMessage: message, code } = error
    const status = error.status || 503
    // only where the shop failed: what is not there is the same page for everybody
    const requestId = status >= 500 ? error.requestId : null
    throw data({ message, code, requestId }, { status })
  }
  throw error
}

/** The call of this load, whose failures are route errors. */
export function callOf({ context }: Pick<LoadArgs, 'context'>): Call {
  const call = context.get(callContext)
  const loading = ((...input: Parameters<Call>) => call(...input).catch(asRouteError)) as Call
  loading.counted = ((...input: Parameters<Call>) =>
    call.counted(...input).catch(asRouteError)) as Call['counted']
  return loading
}
