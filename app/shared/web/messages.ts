/**
 * What the toasts say by the specification, in its own spelling (spec §8), where a failure brings
 * no sentence of the server's. What the server says too is in the contracts; what the
 * specification has no words for is said where it happens.
 */
export const MESSAGES = {
  /** Register, log-in, forgotten password. */
  somethingWentWrong: 'Something went wrong',
  categoryCreateFailed: 'somthing went wrong in input form',
  categoriesFailed: 'Something wwent wrong in getting catgeory',
  categoryChangeFailed: 'Somtihing went wrong',
  productCreateFailed: 'something went wrong',
  productsFailed: 'Someething Went Wrong',
  paymentFailed: 'Something went wrong in payment',
  itemAdded: 'Item Added to Cart',
} as const
