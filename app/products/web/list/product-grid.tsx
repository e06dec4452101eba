import { Suspense } from 'react'
import type { ListedProduct, Product } from '#app/products/contract.ts'
import type { When } from '../product-photo.tsx'
import { type CardStyle, ProductCard } from './product-card.tsx'

const FIRST_ROW = 4

type Props = CardStyle & {
  products: (ListedProduct | Product)[]
  wide?: boolean
  /**
   * Loading priority: the first photo is fetched first, and the other photos of the first row
   * eagerly after it.
   */
  leading?: When
}

const whenOf = (at: number, leading: When): When => {
  if (at === 0 || leading === 'in sight') return leading
  return at < FIRST_ROW ? 'at once' : 'in sight'
}

/**
 * A grid of cards; `wide` when it has the full width of the page. Nothing in it suspends: the boundary
 * makes React hydrate the cards in a task of their own.
 */
export function ProductGrid({ products, wide = false, leading = 'in sight', ...style }: Props) {
  if (products.length === 0) return null
  return (
    <Suspense>
      <ul
        className={`grid grid-cols-2 gap-3 sm:gap-5 md:grid-cols-3 ${wide ? 'xl:grid-cols-4' : ''}`}
      >
        {products.map((product, at) => (
          <li key={product._id}>
            <ProductCard product={product} when={whenOf(at, leading)} {...style} />
          </li>
        ))}
      </ul>
    </Suspense>
  )
}
