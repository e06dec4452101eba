/** The page of a list that an address asks for; the first when it asks for none there can be. */
export function pageOf(params: URLSearchParams): number {
  const page = Number(params.get('page') ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** The same address, its page spelt in one way: the first goes without saying. */
export const withPage = (choice: URLSearchParams, page: number): URLSearchParams =>
  new URLSearchParams([...choice, ...(page > 1 ? [['page', `${page}`]] : [])])
