/** From here on it is worth saying how many are left. */
const FEW = 5

/** Whether there is any, and how many when they are few. */
export function StockHint({ quantity }: { quantity: number }) {
  if (quantity === 0)
    return <p className="badge badge-neutral badge-lg rounded-full">Out of stock</p>
  if (quantity > FEW) return <p className="text-base-content/75">In stock</p>
  return <p className="badge badge-accent badge-lg rounded-full">Only {quantity} left</p>
}
