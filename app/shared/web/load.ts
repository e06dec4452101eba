import {
  createContext,
  data,
  type RouterContextProvider,
  replace,
  type ShouldRevalidateFunction,
} from 'react-router'
import { call as browserCall } from './browser-call.ts'
import { type Call, CallFailure, messageOf } from './call.ts'
import { isTemporary, isThrownData, log, statusOf, textOf } from './failure.tsx'
import { toast } from './toast.tsx'

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
    const status = code === 'gone' ? 410 : statusOf(error)
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

/** For optional data of a page: a failure shows a toast and returns null. */
export const loadOrToast = <T>(loading: Promise<T>, failed: string): Promise<T | null> =>
  loading.catch((error) => {
    toast.error(messageOf(error, failed))
    return null
  })

/** For the one thing that a page is about: a failed call is logged (spec §8), and returned for the page. */
export const loadOrFailure = <T>(
  loading: Promise<T>,
): Promise<{ loaded: T; failure: null } | { loaded: null; failure: CallFailure }> =>
  loading.then(
    (loaded) => ({ loaded, failure: null }),
    (failure) => {
      if (!(failure instanceof CallFailure)) throw failure
      log(failure)
      return { loaded: null, failure }
    },
  )

/** For optional data, of which the page needs no failure: a failed call is logged and returns null. */
export const loadOrLog = async <T>(loading: Promise<T>): Promise<T | null> =>
  (await loadOrFailure(loading)).loaded

/** The URL of the page shown while another choice on it is being loaded. */
let shown: string | null = null
/** The URL that the next navigation returns to, because its choice could not be loaded. */
let returnTo: string | null = null
/** The target of the navigation that returns there. */
let returning: URL | null = null

const addressOf = ({ pathname, search }: URL) => pathname + search

/** Whether a navigation only returns to the shown page, so that nothing is loaded. */
function isReturning(nextUrl: URL): boolean {
  if (returnTo === addressOf(nextUrl)) returning = nextUrl
  returnTo = null
  return returning === nextUrl
}

/** `shouldRevalidate` of a page whose `clientLoader` is made by `stayOnFailure`. */
export const revalidateUnlessReturning: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}) => {
  if (isReturning(nextUrl)) return false
  shown = addressOf(currentUrl)
  return defaultShouldRevalidate
}

/**
 * A `clientLoader` for a page with filters, order and page number in its URL. When another choice
 * on the same page cannot be loaded, the page, its list and its URL stay, and a toast shows why.
 * Errors of a first load, and permanent ones, are thrown.
 */
export const stayOnFailure =
  <Args extends LoadArgs, Data>(load: (args: Args) => Promise<Data>) =>
  async (args: Args): Promise<Data> => {
    const { pathname } = new URL(args.request.url)
    const stay = shown
    shown = null
    try {
      return await load(args)
    } catch (error) {
      const isSamePage = stay?.split('?', 1)[0] === pathname
      if (!stay || !isSamePage || args.request.signal.aborted) throw error
      // redirects and errors that are not failed calls are thrown
      if (!isThrownData(error) || !isTemporary(statusOf(error))) throw error
      toast.error(textOf(error))
      returnTo = stay
      throw replace(stay)
    }
  }

/** `shouldRevalidate` of a frame whose data does not depend on the keyword, filters or page in its URL. */
export const revalidateUnlessChoosing: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}) => !isReturning(nextUrl) && currentUrl.search === nextUrl.search && defaultShouldRevalidate
