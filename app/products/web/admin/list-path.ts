import { useLocation } from 'react-router'

/** What a link to an edit page remembers: where in the list it stands. */
export type ListState = { list: string }

/** The way back to the list of products, to the page and the search that led here. */
export function useListPath(): string {
  const { state } = useLocation()
  const list: unknown = state?.list
  return `/dashboard/admin/products${typeof list === 'string' ? list : ''}`
}
