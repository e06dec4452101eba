import { photoUrl, productPath } from '#app/products/contract.ts'
import { Picture } from '#app/shared/web/pictures.tsx'
import { truncate } from '#app/shared/web/texts.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import type { Order } from '../contract.ts'

type SoldProduct = Order['products'][number]

/** Groups equal products, with their quantity. */
export function linesOf(products: SoldProduct[]) {
  const byId = Map.groupBy(products, ({ _id }) => _id)
  return [...byId.values()].flatMap(([product, ...more]) =>
    product ? [{ product, quantity: more.length + 1 }] : [],
  )
}

/** The products of an order: photo, name, the first 30 characters of the description, and price (spec §2). */
export const OrderLines = ({ order: { products, currency } }: { order: Order }) => (
  <ul className="divide-y divide-base-300">
    {linesOf(products).map(({ product, quantity }) => (
      <Line key={product._id} product={product} quantity={quantity} currency={currency} />
    ))}
  </ul>
)

type LineProps = { product: SoldProduct; quantity: number; currency: string }

function Line({ product, quantity, currency }: LineProps) {
  const money = useMoney()
  return (
    <li className="flex items-center gap-4 p-4 sm:px-6">
      <Picture src={photoUrl(product, 320)} size={96} className="size-24" lazy />
      <div className="wrap-anywhere min-w-0 flex-1">
        <a href={productPath(product)} dir="auto" className="link link-hover font-semibold">
          {product.name}
        </a>
        <p dir="auto" className="text-base-content/75 text-sm">
          {truncate(product.description, 30)}
        </p>
      </div>
      <p className="whitespace-nowrap text-end">
        {quantity > 1 && <span className="text-base-content/75">{quantity} × </span>}
        {money(product.price, currency)}
      </p>
    </li>
  )
}
