import { data, useMatches, useSearchParams } from 'react-router'
import { canonicalParamsOf } from '../model/canonical-params.ts'
import { NO_SUCH_ADDRESS } from '../model/messages.ts'

/** The page number in a query string; 1 when it is missing or invalid. */
export function pageOf(params: URLSearchParams): number {
  const page = Number(params.get('page') ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** Adds the page number in canonical form: page 1 is omitted. */
export const withPage = (choice: URLSearchParams, page: number): URLSearchParams =>
  new URLSearchParams([...choice, ...(page > 1 ? [['page', `${page}`]] : [])])

/** The canonical path of a page of a list. */
export const pagePath = (path: string, page: number) => (page > 1 ? `${path}?page=${page}` : path)

/** The title of a page of a list. */
export const pageTitle = (title: string, page: number) =>
  page > 1 ? `${title}, page ${page}` : title

/** Throws 404 for a page beyond the end of a list; the first page may be empty. */
export function requireFound(page: number, found: unknown[]) {
  if (page > 1 && found.length === 0) throw data({ message: NO_SUCH_ADDRESS }, { status: 404 })
}

/**
 * The known parameters of the page. Others must not be rendered: the server, which renders one page
 * per canonical URL, does not see them.
 */
export function useKnownParams(): URLSearchParams {
  const [params] = useSearchParams()
  return canonicalParamsOf(useMatches().at(-1)?.handle)(params)
}
