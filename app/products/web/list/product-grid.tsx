import { Suspense, useId } from 'react'
import { soldOutReason, useAddToCart } from '#app/cart/web/use-add-to-cart.ts'
import {
  type ProductCard as Card,
  CHOICE_ID,
  photoUrl,
  productPath,
} from '#app/products/contract.ts'
import { ReasonButton } from '#app/shared/web/form/reason-button.tsx'
import { truncate } from '#app/shared/web/texts.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { type Loading, ProductPhoto } from '../product-photo.tsx'

export type CardStyle = {
  heading: 'h2' | 'h3'
  /** The number of characters shown of the description (spec §9). */
  cutAt: 30 | 40
  details: 'Details' | 'More Details'
}

const FIRST_ROW = 4

type Props = CardStyle & {
  products: Card[]
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

type CardProps = CardStyle & { product: Card; loading: Loading }

/** A product in a list (spec §2). */
function ProductCard({ product, heading: Heading, cutAt, details, loading }: CardProps) {
  const money = useMoney()
  const nameId = useId()
  const page = productPath(product)
  const { choices } = product
  const soldOut = choices ? !choices.inStock : product.quantity === 0
  return (
    <article className="surface group relative flex h-full flex-col overflow-hidden transition-shadow duration-200 hover:shadow-lg hover:shadow-neutral/10">
      <div aria-hidden="true" className="overflow-hidden">
        <a href={page} data-prefetch="" tabIndex={-1}>
          <ProductPhoto
            product={product}
            height={200}
            widths={[320, 640]}
            sizes="(width >= 80rem) 19rem, (width >= 48rem) 33vw, calc(50vw - 1.5rem)"
            loading={loading}
          />
          {product.secondPhoto && (
            // not displayed, a lazy picture is not loaded
            <img
              src={photoUrl(product.secondPhoto, 320)}
              alt=""
              loading="lazy"
              className="second-photo dark:brightness-90"
            />
          )}
        </a>
      </div>
      {soldOut && (
        <p className="badge badge-neutral rounded-full absolute top-3 left-3">Out of stock</p>
      )}
      <div className="flex flex-1 flex-col gap-1.5 p-4">
        <Heading id={nameId} dir="auto" className="wrap-anywhere hyphenated text-lg">
          {product.name}
        </Heading>
        <p dir="auto" className="wrap-anywhere text-pretty text-base-content/75 text-sm">
          {truncate(product.summary, cutAt)}
        </p>
        <p className="mt-auto pt-2 font-semibold text-lg text-secondary">
          {choices?.from} {money(product.price)}{' '}
          {product.compareAt && <del className="text-sm">{money(product.compareAt)}</del>}
        </p>
        <div className="mt-2 flex flex-col gap-2 sm:flex-row">
          <a
            href={page}
            data-prefetch=""
            aria-describedby={nameId}
            className="btn btn-outline btn-sm border-base-300 sm:flex-1"
          >
            {details}
          </a>
          {choices ? (
            <a
              href={`${page}#${CHOICE_ID}`}
              data-prefetch=""
              aria-describedby={nameId}
              className="btn btn-primary btn-sm whitespace-nowrap sm:flex-1"
            >
              Add to Cart
            </a>
          ) : (
            <AddToCart product={product} describedBy={nameId} />
          )}
        </div>
        {choices && <p className="wrap-anywhere text-base-content/75 text-sm">{choices.text}</p>}
      </div>
    </article>
  )
}

type AddProps = { product: Card; describedBy: string }

/** Adds one piece of the product to the cart, while it is in stock. */
function AddToCart({ product, describedBy }: AddProps) {
  const addToCart = useAddToCart()
  return (
    <ReasonButton
      reason={soldOutReason(product)}
      onClick={({ timeStamp, currentTarget: button }) =>
        addToCart(product, 1, { timeStamp, button })
      }
      aria-describedby={describedBy}
      className="btn-primary needs-script btn-sm whitespace-nowrap sm:flex-1"
    >
      Add to Cart
    </ReasonButton>
  )
}
