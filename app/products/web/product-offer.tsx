import { useShop } from '#app/shared/web/shop.ts'
import { useMoney } from '#app/shared/web/use-money.ts'

type Priced = { price: number; compareAt?: number; lowestPrice?: number }

/** A price, and the one before a reduction with what is saved. */
export function PriceTag({ price, compareAt, lowestPrice }: Priced) {
  const money = useMoney()
  return (
    <div>
      <p className="font-semibold text-3xl text-secondary">{money(price)}</p>
      {compareAt !== undefined && (
        <p>
          Before: <del>{money(compareAt)}</del> · You save {money(compareAt - price)}
        </p>
      )}
      {lowestPrice !== undefined && (
        <p>Lowest price in the 30 days before the sale: {money(lowestPrice)}</p>
      )}
    </div>
  )
}

/** Whether it is in stock, and the quantity when it is low. */
export function StockHint({ quantity }: { quantity: number }) {
  const { lowStock } = useShop()
  if (quantity === 0)
    return <p className="badge badge-neutral badge-lg rounded-full">Out of stock</p>
  if (quantity > lowStock) return <p className="text-base-content/75">In stock</p>
  return <p className="badge badge-accent badge-lg rounded-full">Only {quantity} left</p>
}
