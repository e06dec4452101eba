import { Link } from 'react-router'
import { PAGE_SIZE } from '#app/products/contract.ts'
import { useKnownParams } from '#app/shared/web/query.ts'
import type { Loading } from '../product-photo.tsx'
import type { CardStyle } from './product-card.tsx'
import { ProductGrid } from './product-grid.tsx'
import { type Listing, type ListingPage, useMoreProducts } from './use-more-products.ts'

type Props = CardStyle & {
  first: ListingPage
  load: (page: number) => Promise<Listing>
  leading: Loading
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

type MoreProps = { page: number; loading: boolean; onMore: () => void }

/** Appends the next page. Without scripts it links to that page. */
function LoadMore({ page, loading, onMore }: MoreProps) {
  const otherParams = [...useKnownParams()].filter(([name]) => name !== 'page')
  return (
    <form
      method="get"
      className="mt-10 flex justify-center"
      onSubmit={(event) => {
        event.preventDefault()
        onMore()
      }}
    >
      {otherParams.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <button
        type="submit"
        name="page"
        value={page + 1}
        aria-disabled={loading}
        className="btn btn-secondary btn-wide"
      >
        {loading && <span className="loading loading-spinner loading-sm" />}
        {loading ? 'Loading ...' : 'Load More'}
      </button>
    </form>
  )
}
