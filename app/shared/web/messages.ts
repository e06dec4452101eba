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
