import { useAnnouncement } from '#app/shared/web/toast.tsx'
import { useMoney } from '#app/shared/web/use-money.ts'
import type { DetailedProduct } from '../contract.ts'
import type { SoldVariant } from '../sold-variant-contract.ts'
import { BuyForm } from './buy-form.tsx'
import { Gallery } from './gallery.tsx'
import { OptionGroups } from './option-groups.tsx'
import type { PackedProduct } from './packed-variants.ts'
import { PriceTag, StockHint } from './product-offer.tsx'
import { entryOf, priceRange, useVariant, valuesOf } from './variant-choice.ts'

type Props = { product: PackedProduct | DetailedProduct }

/** The photos, of which that of the chosen variant is in view. */
export function VariantGallery(props: Props) {
  const { product, variant } = useVariant(props.product)
  return <Gallery product={product} chosenPhoto={variant?.photo} />
}

/** What the chosen variant costs, and from where to where the prices of all go. */
export function VariantPrice(props: Props) {
  const money = useMoney()
  const { product, variant } = useVariant(props.product)
  const range = priceRange(product)
  return (
    <div>
      <PriceTag {...(variant ?? product)} />
      {range && (
        <p className="text-base-content/75">
          From {money(range.low)} to {money(range.high)}
        </p>
      )}
    </div>
  )
}

/** The choice of a variant, its stock, and the way into the cart. */
export function VariantOffer(props: Props) {
  const money = useMoney()
  const { product, variant, choose } = useVariant(props.product)
  const entry = entryOf(product, variant)
  const state = entry.quantity === 0 ? 'out of stock' : money(entry.price)
  useAnnouncement(`${entry.name}, ${state}`)
  return (
    <>
      {variant && <OptionGroups product={product} chosen={variant} onChoose={choose} />}
      <StockHint quantity={entry.quantity} />
      {variant?.quantity === 0 && <WhySoldOut product={product} variant={variant} />}
      <BuyForm entry={entry} />
    </>
  )
}

function WhySoldOut({ product, variant }: { product: DetailedProduct; variant: SoldVariant }) {
  const name = valuesOf(product, variant)
    .map(({ value }) => value)
    .join(' / ')
  const isOtherLeft = product.variants?.some(({ quantity }) => quantity > 0)
  return (
    <p>
      {isOtherLeft
        ? `${name} is sold out. Please choose another one.`
        : 'All choices are sold out.'}
    </p>
  )
}
