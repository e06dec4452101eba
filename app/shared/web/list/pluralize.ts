import { MOST_FOUND } from '#app/shared/contract/fields.ts'

/** The length of a list in words. A search that found as many as it may has only the newest. */
export function pluralize(total: number, what: string, isSearch: boolean): string {
  const number = total.toLocaleString('en-US')
  if (isSearch && total >= MOST_FOUND) return `The newest ${number} ${what}s`
  return `${number} ${what}${total === 1 ? '' : 's'}`
}
