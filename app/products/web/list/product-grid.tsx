import { Suspense } from 'react'
import type { ListedProduct, Product } from '#app/products/contract.ts'
import type { Loading } from '../product-photo.tsx'
import { type CardStyle, ProductCard } from './product-card.tsx'

const FIRST_ROW = 4

type Props = CardStyle & {
  products: (ListedProduct | Product)[]
  wide?: boolean
  /**
   * Loading priority: the first photo is fetched first, and the other photos of the first row
   * eagerly after it.
   */
  leading?: Loading
}

const loadingOf = (at: number, leading: Loading): Loading => {
  if (at === 0 || leading === 'lazy') return leading
  return at < FIRST_ROW ? 'eager' : 'lazy'
}

/**
 * A grid of cards; `wide` when it has the full width of the page. Nothing in it suspends: the boundary
 * makes React hydrate the cards in a task of their own.
 */
export function ProductGrid({ products, wide = false, leading = 'lazy', ...style }: Props) {
  if (products.length === 0) return null
  return (
    <Suspense>
      <ul
        className={`grid grid-cols-2 gap-3 sm:gap-5 md:grid-cols-3 ${wide ? 'xl:grid-cols-4' : ''}`}
      >
        {products.map((product, at) => (
          <li key={product._id}>
            <ProductCard product={product} loading={loadingOf(at, leading)} {...style} />
          </li>
        ))}
      </ul>
    </Suspense>
  )
}
