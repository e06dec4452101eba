import { useBuyer } from '#app/accounts/web/buyer.ts'
import { href } from '#app/shared/model/href.ts'
import { NOT_YET, useUnconfirmed } from './use-verification.ts'

type Props = {
  /** The reason why the last payment made no order. */
  notOrdered: string | undefined
  verifyAgain: () => Promise<unknown>
}

/** A lasting notice of a payment that is unconfirmed, or made no order. */
export function PaymentNotice({ notOrdered, verifyAgain }: Props) {
  const buyer = useBuyer()
  const { isOpen, isVerifying } = useUnconfirmed()
  if (isOpen && isVerifying) return <Verifying />
  if (!isOpen && notOrdered === undefined) return null
  return (
    <section
      aria-label="Your payment"
      className="wrap-anywhere space-y-3 rounded-field bg-warning p-4 text-center text-warning-content"
    >
      <p>{isOpen ? NOT_YET : notOrdered}</p>
      {isOpen && buyer && (
        <button type="button" className="btn btn-sm btn-block" onClick={() => void verifyAgain()}>
          Check again
        </button>
      )}
      {!isOpen && (
        <a href={href('/dashboard/user/orders')} className="btn btn-sm btn-block">
          See your orders
        </a>
      )}
    </section>
  )
}

const Verifying = () => (
  <section
    aria-label="Your payment"
    className="flex items-center gap-3 rounded-field bg-base-200 p-4"
  >
    <span aria-hidden="true" className="loading loading-spinner shrink-0" />
    <p role="status">Your payment is being confirmed. Please do not pay again.</p>
  </section>
)
