import type { ListedProduct, Product } from '#app/products/contract.ts'
import { type CardStyle, ProductCard } from './product-card.tsx'

/** The cards of the first row are seen at once. */
const FIRST_ROW = 4

type Props = CardStyle & { products: (ListedProduct | Product)[]; wide?: boolean }

/** Cards side by side; `wide` where the whole width of the page is theirs. */
export function ProductGrid({ products, wide = false, ...style }: Props) {
  if (products.length === 0) return null
  return (
    <ul
      className={`grid grid-cols-2 gap-3 sm:gap-5 md:grid-cols-3 ${wide ? 'xl:grid-cols-4' : ''}`}
    >
      {products.map((product, at) => (
        <li key={product._id}>
          <ProductCard product={product} eager={at < FIRST_ROW} {...style} />
        </li>
      ))}
    </ul>
  )
}
