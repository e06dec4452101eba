import { Link } from 'react-router'
import { NOT_YET, useUnconfirmed } from './use-settling.ts'

type Props = {
  buyerId: string | undefined
  /** Why the last payment made no order. */
  turnedDown: string | undefined
  askAgain: () => Promise<unknown>
}

/** What must stay in sight of a payment: that it is not decided yet, or that it bought nothing. */
export function PaymentNotice({ buyerId, turnedDown, askAgain }: Props) {
  const { isOpen, isAsking } = useUnconfirmed(buyerId)
  if (isOpen && isAsking) return <Asking />
  if (!isOpen && turnedDown === undefined) return null
  return (
    <section
      aria-label="Your payment"
      className="wrap-anywhere space-y-3 rounded-field bg-warning p-4 text-center text-warning-content"
    >
      <p>{isOpen ? NOT_YET : turnedDown}</p>
      {isOpen && buyerId !== undefined && (
        <button type="button" className="btn btn-sm btn-block" onClick={() => void askAgain()}>
          Ask again
        </button>
      )}
      {!isOpen && (
        <Link to="/dashboard/user/orders" className="btn btn-sm btn-block">
          See your orders
        </Link>
      )}
    </section>
  )
}

const Asking = () => (
  <section
    aria-label="Your payment"
    className="flex items-center gap-3 rounded-field bg-base-200 p-4"
  >
    <span aria-hidden="true" className="loading loading-spinner shrink-0" />
    <p role="status">Your payment is being confirmed. Please do not pay again.</p>
  </section>
)
