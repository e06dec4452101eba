import { Link } from 'react-router'
import { PAGE_SIZE } from '#app/products/contract.ts'
import { useKnownParams } from '#app/shared/web/navigation/use-known-params.ts'
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

/** A link to the first page, when the URL is of a later one. */
function FromTheStart() {
  const params = useKnownParams()
  params.delete('page')
  return (
    <p className="mb-6">
      <Link to={{ search: `${params}` }} className="link">
        Back to the first page
      </Link>
    </p>
  )
}

/** A list of products with Load More (spec §2). */
export function ProductList({ first, load, ...look }: Props) {
  const { products, total, page, more, loading } = useMoreProducts(first, load)
  return (
    <>
      {first.page > 1 && <FromTheStart />}
      <ProductGrid products={products} {...look} />
      {products.length > 0 && page * PAGE_SIZE < total && (
        <LoadMore page={page} loading={loading} onMore={more} />
      )}
    </>
  )
}
