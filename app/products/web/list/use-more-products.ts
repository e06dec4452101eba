import { atom } from 'nanostores'
import { useState } from 'react'
import { useLocation } from 'react-router'
import type { ListedProduct, Product } from '#app/products/contract.ts'
import { UNREACHABLE } from '#app/shared/web/failure.tsx'
import { loadOrToast } from '#app/shared/web/load.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { announce } from '#app/shared/web/toast.tsx'

export type Listing = { products: (ListedProduct | Product)[]; total: number }
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
export function useMoreProducts(first: ListingPage, load: (page: number) => Promise<Listing>) {
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
