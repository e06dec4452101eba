/** What a refund by lines amounts to: pure, for the dialog and for the server. Amounts are integers in minor units. */

/** The parts of an order that can be refunded. */
export const REFUND_KINDS = ['product', 'shipping', 'fee'] as const
export type RefundKind = (typeof REFUND_KINDS)[number]

/** A line of an order, its shipping or its fee, as it was sold. */
export type SoldPart = {
  kind: RefundKind
  /** Of the line, or of the adjustment. */
  position: number
  /** One of shipping and of a fee. */
  quantity: number
  /** How many are refunded already. */
  refunded: number
  priceMinor: number
  /** The share of the line in the discounts of the order. */
  discountMinor: number
  /** The tax of the line after its discount, contained in the price or added to it. */
  taxMinor: number
}

/** A quantity of a part. */
export type ChosenPart = Pick<SoldPart, 'kind' | 'position' | 'quantity'>

/** The amounts of a quantity: price times quantity, less its discount, with the tax that is added. */
export type PartAmount = {
  goodsMinor: number
  discountMinor: number
  taxMinor: number
  amountMinor: number
}

/** The part of a total that the first `count` of `quantity` have, rounded half up; exact for large amounts. */
const shareOf = (total: number, count: number, quantity: number): number => {
  if (quantity === 0) return 0
  const [dividend, divisor] = [BigInt(total) * BigInt(count), BigInt(quantity)]
  return Number((2n * dividend + divisor) / (2n * divisor))
}

/** The amounts of the first `count` of a part. */
function amountOfFirst(part: SoldPart, count: number, isTaxAdded: boolean): PartAmount {
  const { quantity, priceMinor } = part
  const goodsMinor = priceMinor * count
  const discountMinor = shareOf(part.discountMinor, count, quantity)
  const net = goodsMinor - discountMinor
  const taxMinor = shareOf(part.taxMinor, net, priceMinor * quantity - part.discountMinor)
  return { goodsMinor, discountMinor, taxMinor, amountMinor: net + (isTaxAdded ? taxMinor : 0) }
}

/**
 * The amounts of the next `count` of a part: those of the first ones up to them, less those of the ones that are
 * refunded already. So the amounts of a part, refunded in however many steps, are the part's.
 */
export function amountOfNext(part: SoldPart, count: number, isTaxAdded: boolean): PartAmount {
  const before = amountOfFirst(part, part.refunded, isTaxAdded)
  const after = amountOfFirst(part, part.refunded + count, isTaxAdded)
  return {
    goodsMinor: after.goodsMinor - before.goodsMinor,
    discountMinor: after.discountMinor - before.discountMinor,
    taxMinor: after.taxMinor - before.taxMinor,
    amountMinor: after.amountMinor - before.amountMinor,
  }
}

/** Whether a quantity is of this part. */
export const isOfPart = (part: Pick<SoldPart, 'kind' | 'position'>, chosen: ChosenPart): boolean =>
  part.kind === chosen.kind && part.position === chosen.position
