/**
 * What the toasts say, in the specification's own spelling (spec §8), and what a failure says
 * that brings no sentence of the server's. What the server says too is in the contracts.
 */
export const MESSAGES = {
  accountFailed: 'Something went wrong',
  categoryCreateFailed: 'somthing went wrong in input form',
  categoriesFailed: 'Something wwent wrong in getting catgeory',
  categoryChangeFailed: 'Somtihing went wrong',
  productCreateFailed: 'something went wrong',
  productsFailed: 'Someething Went Wrong',
  paymentFailed: 'Something went wrong in payment',
  itemAdded: 'Item Added to Cart',
  productDeleted: 'Product DEleted Succfully',
} as const
