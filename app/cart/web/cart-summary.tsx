import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useBuyer } from '#app/accounts/web/buyer.ts'
import type { ReturnState } from '#app/accounts/web/return-path.ts'
import type { Checkout, Quoting } from '#app/checkout/web/checkout-panel.tsx'
import { useBilling } from '#app/checkout/web/choices.ts'
import { CANNOT_TAKE_PAYMENTS } from '#app/payments/contract.ts'
import { type CheckoutCallbacks, useCheckout } from '#app/payments/web/use-checkout.ts'
import { useUnconfirmed } from '#app/payments/web/use-verification.ts'
import { href } from '#app/shared/model/href.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { useShop } from '#app/shared/web/shop.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { cartAtom, linesOf, totalMinor, without } from './cart.ts'
import type { Findings } from './use-fresh-cart.ts'

const importPanel = () => import('#app/checkout/web/checkout-panel.tsx')

/** A cart that costs what its goods cost. */
const AS_IT_IS: Checkout = {
  choices: {},
  totalMinor: null,
  isLoading: false,
  isEstimate: false,
  asksAddress: false,
  blockedBecause: null,
  hasPaymentChoices: false,
}

const NO_BILLING_FORM =
  'The form for the billing address could not be loaded. Please reload this page.'

/** Where the panel cannot be loaded, the cart is paid as it is, and billed to the address that was entered before. */
function WithoutPanel({ onChange }: { onChange: (checkout: Checkout) => void }) {
  const billing = useBilling()
  useEffect(() => {
    const choices = { billing: billing?.address }
    const blockedBecause = billing && !billing.address ? NO_BILLING_FORM : null
    onChange({ ...AS_IT_IS, choices, blockedBecause })
  }, [billing, onChange])
  return null
}

/** Loaded after the page. Nothing can be paid before: the button would be disabled again under a tap. */
const CheckoutPanel = lazy(() => importPanel().catch(() => ({ default: WithoutPanel })))

/** In the panel for a buyer; for a guest below the way to log in. It is shown after the panel. */
const DeliverySection = lazy(async () => ({ default: (await importPanel()).DeliverySection }))

/** Beside the panel; nothing where it cannot be loaded. */
const BillingSection = lazy(() =>
  importPanel().then(
    (panel) => ({ default: panel.BillingSection }),
    () => ({ default: () => null }),
  ),
)

type Paying = { findings: Findings; callbacks: CheckoutCallbacks }

/** The total, the delivery address, payment notes, and the payment button (spec §2). */
export function CartSummary({
  children,
  quoting,
  ...paying
}: Paying & { quoting: Quoting; children: ReactNode }) {
  const cart = useStore(cartAtom)
  const buyer = useBuyer()
  const { payments, currencyDisplay } = useShop()
  const money = useMoney()
  const [checkout, setCheckout] = useState<Checkout>()
  const amount = checkout?.totalMinor ?? totalMinor(cart, currencyDisplay)
  // then the panel shows where to deliver
  const { asksAddress = false, isEstimate = false, choices } = checkout ?? {}
  const isAddressed = choices?.delivery !== undefined || buyer?.address.trim()
  const isPayable = payments !== 'none' || choices?.paymentMethod !== undefined
  return (
    <aside aria-label="Summary" className="surface space-y-5 p-6 lg:sticky lg:top-28">
      <h2 className="text-2xl">Cart Summary</h2>
      {/* as high as the panel of a cart of goods, so that nothing moves when it is there */}
      <div className="min-h-24">
        <Suspense>
          <CheckoutPanel cart={cart} quoting={quoting} onChange={setCheckout} />
        </Suspense>
      </div>
      <p className="flex items-baseline justify-between border-base-300 border-y py-4">
        {isEstimate ? 'Estimated total' : 'Total'}{' '}
        <strong className="text-2xl">{money(toMajor(amount, currencyDisplay))}</strong>
      </p>
      {buyer ? (
        <>
          {!asksAddress && <Delivery address={buyer.address} />}
          {/* as high as its checkbox, so that nothing moves when it is there */}
          <div className="min-h-6">
            <Suspense>
              <BillingSection />
            </Suspense>
          </div>
          {children}
          {payments === 'none' && checkout && isUnpayable(checkout) && <NoPayments />}
          {isPayable && isAddressed && !isEstimate && (
            <Payment {...paying} checkout={checkout} amount={amount} />
          )}
        </>
      ) : (
        <>
          {children}
          <LogIn />
          {asksAddress && (
            <Suspense>
              <DeliverySection />
            </Suspense>
          )}
        </>
      )}
    </aside>
  )
}

/** Whether a cart cannot be paid in a shop without a provider, also at the address that it asks for. */
const isUnpayable = ({ isLoading, hasPaymentChoices, asksAddress, choices }: Checkout) =>
  !isLoading && !hasPaymentChoices && (!asksAddress || choices.delivery !== undefined)

function LogIn() {
  const navigate = useNavigate()
  const back: ReturnState = { from: href('/cart') }
  return (
    <button
      type="button"
      className="btn btn-primary btn-block"
      onClick={() => navigate(href('/login'), { state: back })}
    >
      Please Login to Checkout
    </button>
  )
}

/** Shown instead of the payment button. */
const NoPayments = () => (
  <p className="rounded-field bg-base-200 p-4 text-center">
    {CANNOT_TAKE_PAYMENTS} Your cart stays as it is until then.
  </p>
)

function Delivery({ address }: { address: string }) {
  const navigate = useNavigate()
  return (
    <div className="space-y-3">
      <h3 className="text-lg">Delivery address</h3>
      <p className="wrap-anywhere">{address.trim() || 'We do not know yet where to deliver.'}</p>
      <button
        type="button"
        className="btn btn-outline btn-block"
        onClick={() => navigate(href('/dashboard/user/profile'))}
      >
        Update Address
      </button>
    </div>
  )
}

/** Items that are no longer available, with a button that removes them. */
const missing = (cart: Parameters<typeof linesOf>[0], { gone }: Findings) =>
  linesOf(cart).flatMap(({ product, count }) => {
    const left = gone.has(product._id) ? 0 : product.quantity
    return Array<string>(Math.max(0, count - left)).fill(product._id)
  })

type PaymentProps = Paying & { checkout: Checkout | undefined; amount: number }

function Payment({ findings, callbacks, checkout, amount }: PaymentProps) {
  const cart = useStore(cartAtom)
  const buyer = useBuyer()
  const { name: shopName, currencyDisplay: currency } = useShop()
  const { busy, pay } = useCheckout(callbacks)
  // while the last payment is unconfirmed, the button verifies it and charges nothing
  const { isOpen } = useUnconfirmed()
  if (!buyer) return null
  const { choices, isLoading = true, blockedBecause = null } = checkout ?? {}
  const excess = missing(cart, findings)
  const blocked = isOpen ? null : blockedBecause
  const unready = isLoading ? 'The total is being calculated.' : blocked
  const reason = excess.length > 0 ? 'Remove the unavailable items first.' : unready
  return (
    <div className="space-y-3">
      {excess.length > 0 && (
        <div
          role="alert"
          className="space-y-3 rounded-field bg-warning p-4 text-center text-warning-content"
        >
          <p>Some items in your cart are no longer available.</p>
          <button
            type="button"
            className="btn btn-sm btn-block"
            onClick={() => cartAtom.update((stored) => without(stored, excess))}
          >
            Remove unavailable items
          </button>
        </div>
      )}
      <BusyButton
        busy={busy}
        reason={reason}
        className="btn-primary btn-block"
        onClick={() =>
          pay({ ids: cart.map(({ _id }) => _id), amount, currency, choices, shopName, buyer })
        }
      >
        {checkout?.totalMinor === 0 || choices?.paymentMethod ? 'Place Order' : 'Make Payment'}
      </BusyButton>
      {blocked && <p className="text-center text-sm">{blocked}</p>}
    </div>
  )
}
