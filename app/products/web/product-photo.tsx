import { type PHOTO_WIDTHS, photoUrl } from '../contract.ts'

type Props = {
  product: { _id: string; name: string; photo: string | null }
  /** In pixels (spec §9: 200 in lists, 400 on the product's page). */
  height: 200 | 400
  widths: (typeof PHOTO_WIDTHS)[number][]
  sizes: string
  /** Seen at once, so not put off until it is scrolled to. */
  eager?: boolean
}

export function ProductPhoto({ product, height, widths, sizes, eager = false }: Props) {
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
      loading={eager ? 'eager' : 'lazy'}
      decoding={eager ? undefined : 'async'}
      className="w-full bg-base-300 object-cover dark:brightness-90"
    />
  )
}
