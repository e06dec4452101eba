import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { accountCalls } from '#app/accounts/contract.ts'
import { updateBuyer, useBuyer } from '#app/accounts/web/buyer.ts'
import { CouponField } from '#app/coupons/web/coupon-field.tsx'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import type { DeliveryAddress } from '#app/shipping/contract.ts'
import { isUnknownRegion, placeOf } from '#app/shipping/model.ts'
import { AddressForm } from '#app/shipping/web/address-form.tsx'
import { ShippingRateChoice } from '#app/shipping/web/shipping-rate-choice.tsx'
import type { Adjustment, Notice, Quote, StartChoices } from '../contract.ts'
import { useAgreement } from './agreement.tsx'
import { BillingSection, missingIn } from './billing.tsx'
import { type Billing, choicesAtom, useBilling } from './choices.ts'
import { PaymentChoice } from './payment-choice.tsx'
import { useQuote } from './use-quote.ts'

/** The part of the quote that the cart page needs. */
export type Checkout = {
  /** The choices with which the payment is started. */
  choices: StartChoices
  /** The cost of the cart in minor units; null where it is that of its goods. */
  totalMinor: number | null
  /** Whether the total is not known, or that of a former cart or choice. */
  isLoading: boolean
  /** Whether a part of the address is missing that the total depends on. */
  isEstimate: boolean
  /** Whether the panel asks for the delivery address. */
  asksAddress: boolean
  /** Why the cart cannot be paid as it is: it cannot be delivered, or the buyer has not agreed to a text. */
  blockedBecause: string | null
  /** Whether the cart can be paid without a provider. */
  hasPaymentChoices: boolean
}

type Props = {
  cart: { _id: string }[]
  onChange: (checkout: Checkout) => void
  quoting: Quoting
}

/** How the cart is quoted once more. */
export type Quoting = {
  /** Another quote is requested when it changes. */
  attempt: number
  retry: () => void
  /** Called with each quote. */
  onQuote: (quote: Quote) => void
}

const NONE: never[] = []

const setCodes = (couponCodes: string[]) =>
  choicesAtom.update((others) => ({ ...others, couponCodes }))

/**
 * The part of the cart that is loaded after the page: the buyer's choices, and what the total has beside
 * the goods.
 */
export default function CheckoutPanel({ cart, quoting, onChange }: Props): ReactNode {
  const { attempt, retry, onQuote } = quoting
  const buyer = useBuyer()
  const { couponCodes, shippingRate, paymentMethod } = useStore(choicesAtom)
  const { address, place } = useDelivery()
  const choices = useMemo(
    () => ({
      automaticDiscounts: true,
      couponCodes,
      shippingRate,
      paymentMethod,
      delivery: place,
    }),
    [couponCodes, shippingRate, paymentMethod, place],
  )
  const { quote, quoted, failure, isLoading } = useQuote({ cart, choices, attempt })
  const needsDelivery = useNeedsDelivery(quote)
  const agreement = useAgreement(quote)
  const billing = useBilling()
  const agreed = useAgreed(couponCodes, { address, billing }, quote, agreement.agreements)
  const totalMinor = quote && quote.adjustments.length > 0 ? quote.totalMinor : null
  // while another cart of goods is quoted, its total is known
  const isUnknown =
    isLoading &&
    (!quote ||
      totalMinor !== null ||
      couponCodes.length > 0 ||
      quote.paymentMethod !== paymentMethod)
  const isEstimate = noticeOf(quote, 'delivery') !== undefined
  const blockedBecause = noticeOf(quote, 'shipping') ?? agreement.missing ?? missingIn(billing)
  const hasPaymentChoices = quote?.paymentChoices !== undefined
  useEffect(
    () =>
      onChange({
        choices: agreed,
        totalMinor,
        isLoading: isUnknown,
        isEstimate,
        asksAddress: needsDelivery,
        blockedBecause,
        hasPaymentChoices,
      }),
    [
      onChange,
      agreed,
      totalMinor,
      isUnknown,
      isEstimate,
      needsDelivery,
      blockedBecause,
      hasPaymentChoices,
    ],
  )
  useEffect(() => {
    if (quote) onQuote(quote)
  }, [onQuote, quote])
  return (
    <div className="space-y-5">
      {needsDelivery && buyer && <DeliverySection />}
      {quote?.shippingChoices && (
        <ShippingRateChoice
          choices={quote.shippingChoices}
          chosen={chosenOf(quote, shippingRate)}
          onChoose={(shippingRate) => choicesAtom.update((stored) => ({ ...stored, shippingRate }))}
        />
      )}
      {quote?.paymentChoices && (
        <PaymentChoice choices={quote.paymentChoices} wanted={paymentMethod} />
      )}
      <CouponField
        codes={couponCodes}
        quotedCodes={quoted.couponCodes ?? NONE}
        notices={quote?.notices ?? NONE}
        onChange={setCodes}
      />
      {quote && <Adjustments quote={quote} isLoading={isLoading} />}
      {agreement.field}
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

/** An address may have been stored before its country had known regions: then the region is missing. */
const placeWith = (country: string, region: string | undefined) =>
  isUnknownRegion(placeOf({ country, region })) ? { country } : { country, region }

/**
 * The delivery address of this tab: the one that was entered, else the one of the profile. An address
 * that another buyer entered in this tab is not used.
 */
function useDelivery() {
  const buyer = useBuyer()
  const { delivery: chosen } = useStore(choicesAtom)
  const isOwn = chosen !== undefined && [null, buyer?._id].includes(chosen.buyerId)
  const address = isOwn ? chosen.address : buyer?.delivery
  const { country, region } = address ?? {}
  const place = useMemo(
    () => (country === undefined ? undefined : placeWith(country, region)),
    [country, region],
  )
  const remember = async (delivery: DeliveryAddress) => {
    const { updatedUser } = await call(accountCalls.updateProfile, { body: { delivery } })
    updateBuyer(updatedUser)
  }
  return {
    address,
    /** The part of the address that prices depend on. */
    place,
    suggested: { name: buyer?.name ?? '', phone: buyer?.phone ?? '' },
    onChange: (entered: DeliveryAddress) =>
      choicesAtom.update((stored) => ({
        ...stored,
        delivery: { buyerId: buyer?._id ?? null, address: entered },
      })),
    remember: buyer ? remember : undefined,
  }
}

export { BillingSection }

/** The delivery address of the cart. */
export const DeliverySection = () => <AddressForm of="delivery" {...useDelivery()} />

const noticeOf = (quote: Quote | null, about: Notice['about']) =>
  quote?.notices.find((notice) => notice.about === about)?.message

/** The rate that is shown as chosen: the one that the buyer has just chosen, before its quote. */
const chosenOf = ({ shippingChoices, shippingRate: charged }: Quote, wanted: string | undefined) =>
  shippingChoices?.some(({ _id }) => _id === wanted) ? wanted : charged

/** Whether the last quote asked for an address: a failed one must not take the form away. */
function useNeedsDelivery(quote: Quote | null): boolean {
  const [isNeeded, setNeeded] = useState(false)
  useEffect(() => {
    if (quote) setNeeded(quote.needsDelivery === true)
  }, [quote])
  return isNeeded
}

/** The choices with which the payment is started: those of the quote, also where a chosen rate is gone. */
function useAgreed(
  couponCodes: string[],
  { address, billing }: { address: StartChoices['delivery']; billing: Billing },
  quote: Quote | null,
  agreements: StartChoices['agreements'],
): StartChoices {
  const delivery = quote?.needsDelivery ? address : undefined
  const { shippingRate, paymentMethod } = quote ?? {}
  const billedTo = billing?.address
  return useMemo(
    () => ({
      automaticDiscounts: true,
      couponCodes,
      delivery,
      billing: billedTo,
      shippingRate,
      paymentMethod,
      agreements,
    }),
    [couponCodes, delivery, billedTo, shippingRate, paymentMethod, agreements],
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
            <Part key={`${adjustment.kind} ${adjustment.source}`} {...adjustment} />
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

type PartProps = Pick<Adjustment, 'label' | 'amountMinor' | 'included'>

function Part({ label, amountMinor, included }: PartProps) {
  const { currencyDisplay } = useShop()
  const money = useMoney()
  return (
    <div
      className={`flex items-baseline justify-between gap-4 ${included ? 'text-base-content/75 text-sm' : ''}`}
    >
      <dt className="wrap-anywhere min-w-0">{included ? `incl. ${label}` : label}</dt>
      <dd>{money(toMajor(amountMinor, currencyDisplay))}</dd>
    </div>
  )
}
