import { replace, type ShouldRevalidateFunction } from 'react-router'
import type { LoadArgs } from '../load.ts'
import { toast } from '../toast/toast.ts'
import { isTemporary, isThrownData, statusOf, textOf } from './error-status.ts'

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
