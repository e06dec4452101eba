import { useShop } from '#app/shared/web/shop.ts'

/** Whether the product is in stock, and the quantity when it is low. */
export function StockHint({ quantity }: { quantity: number }) {
  const { lowStock } = useShop()
  if (quantity === 0)
    return <p className="badge badge-neutral badge-lg rounded-full">Out of stock</p>
  if (quantity > lowStock) return <p className="text-base-content/75">In stock</p>
  return <p className="badge badge-accent badge-lg rounded-full">Only {quantity} left</p>
}
