import { PAGE_SIZE } from '#app/products/contract.ts'
import type { When } from '../product-photo.tsx'
import { LoadMore } from './load-more.tsx'
import type { CardStyle } from './product-card.tsx'
import { ProductGrid } from './product-grid.tsx'
import { type Listing, type ListingPage, useMoreProducts } from './use-more-products.ts'

type Props = CardStyle & {
  first: ListingPage
  load: (page: number) => Promise<Listing>
  leading: When
}

/** A list of products that grows by pages while there are more (spec §2). */
export function ProductList({ first, load, ...look }: Props) {
  const { products, total, page, more, loading } = useMoreProducts(first, load)
  return (
    <>
      <ProductGrid products={products} {...look} />
      {products.length > 0 && page * PAGE_SIZE < total && (
        <LoadMore page={page} loading={loading} onMore={more} />
      )}
    </>
  )
}
