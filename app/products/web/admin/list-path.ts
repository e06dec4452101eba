import { useLocation } from 'react-router'
import { href } from '#app/shared/model/href.ts'

/** The state of a link to an edit page: the list's query string. */
export type ListState = { list: string }

/** The path of the product list, at the page and search of the link followed. */
export function useListPath(): string {
  const { state } = useLocation()
  const list: unknown = state?.list
  return `${href('/dashboard/admin/products')}${typeof list === 'string' ? list : ''}`
}
