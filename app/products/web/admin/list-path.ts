import { useLocation } from 'react-router'

/** The state of a link to an edit page: the list's query string. */
export type ListState = { list: string }

/** The path of the product list, at the page and search of the link followed. */
export function useListPath(): string {
  const { state } = useLocation()
  const list: unknown = state?.list
  return `/dashboard/admin/products${typeof list === 'string' ? list : ''}`
}
