import { MOST_FOUND } from '#app/shared/contract/fields.ts'

/**
 * A count with its noun: "5 products". A search with the most results shows only the newest, and
 * says so.
 */
export function pluralize(total: number, what: string, isSearch: boolean): string {
  const number = total.toLocaleString('en-US')
  if (isSearch && total >= MOST_FOUND) return `The newest ${number} ${what}s`
  return `${number} ${what}${total === 1 ? '' : 's'}`
}
