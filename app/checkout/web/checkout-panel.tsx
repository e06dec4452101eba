import { useAtom } from 'jotai'
import { useCallback, useEffect } from 'react'
import { CouponField } from '#app/coupons/web/coupon-field.tsx'
import { useMoney } from '#app/shared/web/money.ts'
import type { Adjustment, Quote } from '../contract.ts'
import { type BuyerChoices, choicesAtom, NO_CHOICES } from './choices.ts'
import { useQuote } from './use-quote.ts'

/** What the cart page needs of the quote. */
export type Checkout = {
  choices: BuyerChoices
  /** What the cart costs, in minor units; null where it costs what its goods cost. */
  totalMinor: number | null
  /** Whether the total is that of a former cart or choice. */
  isLoading: boolean
}

type Props = {
  cart: { _id: string }[]
  buyerId: string | undefined
  onChange: (checkout: Checkout) => void
}

const NONE: never[] = []

/**
 * The part of the cart that is loaded after the page: the buyer's choices, and what the total has beside
 * the goods.
 */
export default function CheckoutPanel({ cart, buyerId, onChange }: Props) {
  const [choices, setChoices] = useAtom(choicesAtom)
  const { quote, quoted, failure, isLoading, retry } = useQuote({ cart, choices, buyerId })
  const totalMinor = quote && quote.adjustments.length > 0 ? quote.totalMinor : null
  // while a cart of goods is quoted, its total is known
  const isUnknown = isLoading && (totalMinor !== null || choices.couponCodes.length > 0)
  useEffect(
    () => onChange({ choices, totalMinor, isLoading: isUnknown }),
    [onChange, choices, totalMinor, isUnknown],
  )
  const isEmpty = cart.length === 0
  useEffect(() => {
    // a cart that was paid takes its choices with it
    if (isEmpty) setChoices(NO_CHOICES)
  }, [isEmpty, setChoices])
  const setCodes = useCallback(
    (couponCodes: string[]) => setChoices((others) => ({ ...others, couponCodes })),
    [setChoices],
  )
  if (isEmpty) return null
  return (
    <div className="space-y-5">
      {/* insertion point: <DeliveryForm> of app/shipping/web, with choices.delivery */}
      {/* insertion point: <ShippingRateChoice> of app/shipping/web, with choices.shippingRate */}
      <CouponField
        codes={choices.couponCodes}
        quotedCodes={quoted.couponCodes ?? NONE}
        notices={quote?.notices ?? NONE}
        onChange={setCodes}
      />
      {quote && <Adjustments quote={quote} isLoading={isLoading} />}
      {failure !== null && (
        <div role="alert" className="space-y-2 font-semibold text-error text-sm">
          <p>{failure}</p>
          <button type="button" className="btn btn-sm" onClick={retry}>
            Try again
          </button>
        </div>
      )}
    </div>
  )
}

/** The parts of the total that are not goods. */
function Adjustments({ quote, isLoading }: { quote: Quote; isLoading: boolean }) {
  const { adjustments, subtotalMinor, notices } = quote
  return (
    <>
      {adjustments.length > 0 && (
        <dl aria-label="Total in parts" aria-busy={isLoading} className="space-y-1">
          <Part label="Subtotal" amountMinor={subtotalMinor} />
          {adjustments.map((adjustment) => (
            <Part key={`${adjustment.kind} ${adjustment.source}`} {...shown(adjustment)} />
          ))}
        </dl>
      )}
      {/* rendered before its text, so that screen readers announce it */}
      <div role="status" className="space-y-1 font-semibold text-info text-sm">
        {notices.map(
          // the field of coupon codes shows its own
          ({ about, message }) => about !== 'coupon' && <p key={message}>{message}</p>,
        )}
      </div>
    </>
  )
}

const shown = ({ label, amountMinor, included }: Adjustment) => ({
  label: included ? `incl. ${label}` : label,
  amountMinor,
  isIncluded: included,
})

type PartProps = { label: string; amountMinor: number; isIncluded?: boolean | undefined }

function Part({ label, amountMinor, isIncluded }: PartProps) {
  const money = useMoney()
  return (
    <div
      className={`flex items-baseline justify-between gap-4 ${isIncluded ? 'text-base-content/75 text-sm' : ''}`}
    >
      <dt className="wrap-anywhere min-w-0">{label}</dt>
      <dd>{money(amountMinor / 100)}</dd>
    </div>
  )
}
