import { atom } from 'nanostores'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { PAGE_SIZE, type ProductCard } from '#app/products/contract.ts'
import { UNREACHABLE } from '#app/shared/model/messages.ts'
import { loadOrToast } from '#app/shared/web/load.ts'
import { useKnownParams } from '#app/shared/web/query.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { announce } from '#app/shared/web/toast.tsx'
import type { Loading } from '../product-photo.tsx'
import { type CardStyle, ProductGrid } from './product-grid.tsx'

export type Listing = { products: ProductCard[]; total: number }
export type ListingPage = Listing & { page: number }

/** The lists loaded in this visit by URL: Back restores the list with its appended pages. */
const loadedAtom = atom<Partial<Record<string, ListingPage>>>({})

/** The list loaded before, if it still continues the first page loaded now. */
function continued(first: ListingPage, before: ListingPage | undefined): ListingPage {
  const follows = first.products.every(({ _id }, at) => before?.products[at]?._id === _id)
  if (!before || !follows) return first
  return {
    ...before,
    products: [...first.products, ...before.products.slice(first.products.length)],
  }
}

/** Appends a page; products that moved from the previous page are not repeated. */
function withPage(list: ListingPage, { products, total }: Listing): ListingPage {
  const known = new Set(list.products.map(({ _id }) => _id))
  const fresh = products.filter(({ _id }) => !known.has(_id))
  return { products: [...list.products, ...fresh], total, page: list.page + 1 }
}

/**
 * The products of the current URL, and a function that appends the next page. A late response is
 * added to the URL that requested it. A failure shows a toast, and the button can be pressed again.
 */
function useMoreProducts(first: ListingPage, load: (page: number) => Promise<Listing>) {
  const { pathname, search } = useLocation()
  const address = pathname + search
  const loaded = useStore(loadedAtom)
  const [loadingAt, setLoadingAt] = useState<string | null>(null)
  const list = continued(first, loaded[address])

  const more = async () => {
    if (loadingAt === address) return
    setLoadingAt(address)
    const next = await loadOrToast(load(list.page + 1), UNREACHABLE)
    setLoadingAt((now) => (now === address ? null : now))
    if (!next) return
    announce(`${next.products.length} more products`)
    loadedAtom.set({ ...loadedAtom.get(), [address]: withPage(list, next) })
  }
  return { ...list, more, loading: loadingAt === address }
}

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
