import type { PHOTO_WIDTHS } from '#app/shared/model/photo.ts'
import { photoUrl } from '../contract.ts'

/** Loading: eagerly before all others, eagerly, or lazily when scrolled to. */
export type Loading = 'first' | 'eager' | 'lazy'

export type PhotographedProduct = { _id: string; name: string; photo: string | null }

type Props = {
  product: PhotographedProduct
  /** In pixels (spec §9: 200 in lists, 400 on the product's page). */
  height: 200 | 400
  widths: (typeof PHOTO_WIDTHS)[number][]
  sizes: string
  loading?: Loading
}

const FETCH_PRIORITY = { first: 'high', eager: 'low', lazy: undefined } as const

/** A product's photo, whole: what it leaves free of its place is a plain background. */
export function ProductPhoto({ product, height, widths, sizes, loading = 'lazy' }: Props) {
  const [smallest = 320] = widths
  return (
    <img
      sizes={sizes}
      srcSet={widths.map((width) => `${photoUrl(product, width)} ${width}w`).join(', ')}
      src={photoUrl(product, smallest)}
      alt={product.name}
      width={height}
      height={height}
      style={{ height }}
      loading={loading === 'lazy' ? 'lazy' : 'eager'}
      // React preloads eager images unless their priority is low: only the first is preloaded
      fetchPriority={FETCH_PRIORITY[loading]}
      decoding={loading === 'first' ? undefined : 'async'}
      className="w-full bg-base-200 object-contain dark:brightness-90"
    />
  )
}
