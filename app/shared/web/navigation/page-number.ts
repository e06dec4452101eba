import { data } from 'react-router'

/** The page of a list that an address asks for; the first when it asks for none there can be. */
export function pageOf(params: URLSearchParams): number {
  const page = Number(params.get('page') ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** The same address, its page spelt in one way: the first goes without saying. */
export const withPage = (choice: URLSearchParams, page: number): URLSearchParams =>
  new URLSearchParams([...choice, ...(page > 1 ? [['page', `${page}`]] : [])])

/** Throws the 404 of a page beyond a list's last one; the first may be empty. */
export function requireFound(page: number, found: unknown[]) {
  if (page > 1 && found.length === 0)
    throw data({ message: 'There is nothing at this address.' }, { status: 404 })
}
