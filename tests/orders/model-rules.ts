/** The rules that every state of the model keeps, and those after recovery. */
import { isPayable } from './model.ts'
import { type Money, PAID } from './model-money.ts'
import { type Payment, QUANTITY, type State } from './model-state.ts'

function* wrongOf({ state, isDeclined, money }: Payment): Generator<string> {
  const orders = money.filter(({ purpose }) => purpose === 'order').length
  if (state === 'paid' && orders !== 1) yield `an order has ${orders} captures`
  if (state !== 'paid' && orders > 0) yield `money that counts for an order is ${state}`
  if (money.some(({ purpose }) => purpose === 'undecided') && !isPayable({ state }))
    yield `undecided money is ${state}`
  if (isDeclined && state === 'cancelled') yield 'a declined attempt ends a purchase'
}

function* wrongWith(one: Money): Generator<string> {
  const { status, purpose, isConfirmed, isVoided, refund, done, disputed } = one
  const { paidBack, inFlight } = one
  if (isConfirmed && isVoided) yield 'captured money is released'
  if (purpose === 'nothing' && isConfirmed && refund === null && done + disputed < PAID)
    yield 'money has neither an order nor a refund'
  if (done > paidBack && status !== 'released') yield 'a refund is done, and was not made'
  if (paidBack + inFlight + disputed > PAID) yield 'more is refunded than was paid'
}

/** The rules that a state breaks, as sentences. */
export function* violationsIn({ free, coupons, payments }: State): Generator<string> {
  const count = (is: (one: Payment) => boolean) => payments.filter(is).length
  const reserved = count(({ state }) => state === 'open')
  const sold = count(({ state }) => ['paid', 'owed'].includes(state))
  if (free < 0) yield 'more is sold than there is'
  if (free + reserved + sold !== QUANTITY)
    yield `${free} free + ${reserved} reserved + ${sold} sold`
  const uses = count(
    ({ hasCoupon, state }) => hasCoupon && ['open', 'owed', 'paid'].includes(state),
  )
  if (uses > 1 || uses + coupons !== 1) yield `the coupon has ${uses} uses and ${coupons} left`
  for (const payment of payments) {
    yield* wrongOf(payment)
    for (const one of payment.money) yield* wrongWith(one)
  }
}

function* unsettled(one: Money): Generator<string> {
  const { status, purpose, isVoided, refund, asked, done, paidBack, inFlight, disputed } = one
  // the refund of an order whose money never came is refused until an admin gives it up
  const isRefused = refund === 'failed' && purpose === 'order' && isVoided
  if (refund !== null && !isRefused) yield `a refund is ${refund}`
  if (status !== 'captured') return
  const wanted = purpose === 'order' ? asked : PAID - disputed
  if (paidBack < wanted) yield 'money is not refunded'
  if (paidBack > wanted) yield 'more is refunded than was asked for'
  if (done !== paidBack || inFlight > 0)
    yield `${paidBack} is refunded, and the shop knows of ${done}`
  if (isVoided) yield 'captured money counts as released'
}

/** The payments that are not settled after recovery, as sentences. */
export function* unsettledIn({ payments }: State): Generator<string> {
  for (const { state, money } of payments) {
    if (state === 'open') yield 'a payment is open'
    for (const one of money) yield* unsettled(one)
  }
}
