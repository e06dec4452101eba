import { MAX_RESULTS } from '#app/shared/contract/fields.ts'

/**
 * Messages of the specification, in its spelling (spec §8), for failures without a message of the
 * server's. Messages that the server sends, too, are in the contracts; all others are where they
 * are used.
 */
export const MESSAGES = {
  /** Registration, log-in, password reset. */
  somethingWentWrong: 'Something went wrong',
  categoryCreateFailed: 'somthing went wrong in input form',
  categoriesFailed: 'Something wwent wrong in getting catgeory',
  categoryChangeFailed: 'Somtihing went wrong',
  productCreateFailed: 'something went wrong',
  productsFailed: 'Someething Went Wrong',
  paymentFailed: 'Something went wrong in payment',
  itemAdded: 'Item Added to Cart',
} as const

/** The first `length` characters, followed by dots when the text was truncated (spec §2). */
export function truncate(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length).join('')}...`
}

/**
 * A count with its noun: "5 products". A search with the most results shows only the newest, and
 * says so.
 */
export function pluralize(total: number, what: string, isSearch: boolean): string {
  const number = total.toLocaleString('en-US')
  if (isSearch && total >= MAX_RESULTS) return `The newest ${number} ${what}s`
  return `${number} ${what}${total === 1 ? '' : 's'}`
}
