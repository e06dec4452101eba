/** A small model of payments: two buyers, two pieces of one product, and a coupon for one use. */
import { type PaymentState, TRANSITIONS, UNDECIDED } from '#app/payments/server/transitions.ts'

const QUANTITY = 2
const MAX_PAID = 2
const MAX_SURPLUS = 1
const MAX_REFUNDS = 2
const MAX_DECLINED = 1

/** A started payment of one piece. Amounts are halves of its price. */
type Payment = {
  buyer: number
  state: PaymentState
  hasCoupon: boolean
  /** Whether the provider has its order: not when the shop crashed before. */
  isPayable: boolean
  /** Whether the bank has declined an attempt; another one, or the same later, may succeed. */
  isDeclined: boolean
  /** The money at the provider. */
  money: 'none' | 'authorised' | 'captured' | 'failed'
  /** Whether the shop has stored the money. */
  isKnown: boolean
  /** Whether the bank has released money that the shop has never decided on. */
  isForgotten: boolean
  hasOrder: boolean
  /** The amounts that were requested to be refunded, and that the provider refunded. */
  asked: number
  refunded: number
  /** Other money for the same order. */
  surplus: 'none' | 'paid' | 'due' | 'refunded'
}

export type State = { free: number; coupons: number; hasCrashed: boolean; payments: Payment[] }

/** Duties of the shop; a model without one of them has a bug. */
export type Rules = {
  /** Of the provider: money is authorised, and the shop captures what it wants. Otherwise it is captured at once. */
  capturesLater: boolean
  /** How many payments are started at most. */
  maxStarts: number
  takesStockAgain: boolean
  takesCouponAgain: boolean
  endsOnlyUndecided: boolean
  keepsDeclined: boolean
  pollsDeclined: boolean
}
export const RIGHT: Rules = {
  capturesLater: true,
  maxStarts: 3,
  takesStockAgain: true,
  takesCouponAgain: true,
  endsOnlyUndecided: true,
  keepsDeclined: true,
  pollsDeclined: true,
}

export const INITIAL: State = { free: QUANTITY, coupons: 1, hasCrashed: false, payments: [] }

type Move = [message: string, next: State]

/** The model with its rules; `used` gets every transition that it makes. */
export function openModel(rules: Rules, used: Set<string>) {
  const set = (state: State, at: number, change: Partial<Payment>, rest: Partial<State> = {}) => ({
    ...state,
    ...rest,
    payments: state.payments.map((one, n) => (n === at ? { ...one, ...change } : one)),
  })
  /** The next state. What was declined matters until the payment is decided on: fewer states to walk. */
  function become(from: PaymentState, to: PaymentState): Pick<Payment, 'state'> & Partial<Payment> {
    if (!TRANSITIONS[from].includes(to)) throw new Error(`${from} → ${to} is not in the table`)
    used.add(`${from} → ${to}`)
    return { state: to, ...(!UNDECIDED.includes(to) && { isDeclined: false }) }
  }
  /** The stock and the coupon that the end of a reservation returns. */
  const returned = (state: State, { state: former, hasCoupon }: Payment): Partial<State> =>
    former === 'created'
      ? { free: state.free + 1, coupons: state.coupons + (hasCoupon ? 1 : 0) }
      : {}

  const end = (state: State, at: number, one: Payment, to: 'expired' | 'failed'): State =>
    to === 'failed' && one.isKnown
      ? refuse(state, at, one)
      : set(state, at, become(one.state, to), returned(state, one))

  /** Money without an order is refunded; what is only authorised is never captured. */
  function refuse(state: State, at: number, one: Payment): State {
    const isVoid = rules.capturesLater && one.money === 'authorised'
    const refused = become(one.state, isVoid ? 'failed' : 'refund_pending')
    return set(state, at, { ...refused, isKnown: true }, returned(state, one))
  }

  /** Completion: the shop learns of money, and decides on it once. */
  function complete(state: State, at: number, one: Payment): State {
    const { state: now, isKnown, hasCoupon } = one
    if (now === 'failed' && rules.capturesLater && one.money === 'authorised')
      return isKnown ? state : set(state, at, { isKnown: true })
    if (now === 'failed') return isKnown && !rules.capturesLater ? state : refuse(state, at, one)
    if (!UNDECIDED.includes(now)) return state
    const takesStock = now === 'expired' && rules.takesStockAgain
    const takesCoupon = now === 'expired' && hasCoupon && rules.takesCouponAgain
    if ((takesStock && state.free === 0) || (takesCoupon && state.coupons === 0))
      return refuse(state, at, one)
    return set(
      state,
      at,
      { ...become(now, 'captured'), isKnown: true, hasOrder: true },
      { free: state.free - (takesStock ? 1 : 0), coupons: state.coupons - (takesCoupon ? 1 : 0) },
    )
  }

  /** A buyer has one reservation: the former one ends. An open payment of the same cart is reserved again. */
  function start(before: State, buyer: number, hasCoupon: boolean, crashes: boolean): State {
    const isOpen = (one: Payment) => one.buyer === buyer && UNDECIDED.includes(one.state)
    const former = before.payments.findIndex((one) => isOpen(one) && one.state === 'created')
    const one = before.payments[former]
    const state = one ? end(before, former, one, 'expired') : before
    if (state.free === 0 || (hasCoupon && state.coupons === 0)) return before
    const taken = { free: state.free - 1, coupons: state.coupons - (hasCoupon ? 1 : 0) }
    const same = state.payments.findIndex(
      (other) =>
        isOpen(other) && other.hasCoupon === hasCoupon && other.isPayable && !other.isKnown,
    )
    const again = state.payments[same]
    if (again) return set(state, same, become(again.state, 'created'), taken)
    if (state.payments.length === rules.maxStarts) return before
    const payment: Payment = {
      buyer,
      hasCoupon,
      state: 'created',
      isPayable: !crashes,
      isDeclined: false,
      money: 'none',
      isKnown: false,
      isForgotten: false,
      hasOrder: false,
      asked: 0,
      refunded: 0,
      surplus: 'none',
    }
    return {
      ...taken,
      hasCrashed: state.hasCrashed || crashes,
      payments: [...state.payments, payment],
    }
  }

  /** The refund job: the provider knows what it has refunded already. */
  function refundNow(state: State, at: number, one: Payment, crashes: boolean): State {
    if (one.state !== 'refund_pending') return state
    if (one.money === 'failed' && !one.hasOrder) return set(state, at, become(one.state, 'failed'))
    if (one.money !== 'captured') return state
    const refunded = one.hasOrder ? Math.max(one.asked, one.refunded) : 2
    const noted = crashes ? {} : become(one.state, 'refunded')
    return set(state, at, { refunded, ...noted }, { hasCrashed: state.hasCrashed || crashes })
  }

  /** The bank declines an attempt: the payment stays open, whether or not its reservation is released. */
  const decline = (state: State, at: number, one: Payment): State =>
    set(rules.keepsDeclined ? state : end(state, at, one, 'failed'), at, { isDeclined: true })

  /** The whole payment is refunded in the provider's dashboard, and the webhook reports it. */
  function refundedElsewhere(state: State, at: number, one: Payment): State {
    const isOpen = UNDECIDED.includes(one.state) || one.state === 'failed'
    const next = isOpen ? refuse(state, at, one) : state
    const { state: now } = next.payments[at] ?? one
    const noted = now === 'refunded' ? {} : become(now, 'refunded')
    return set(next, at, { ...noted, refunded: 2 })
  }

  const isEnding = ({ state }: Payment) => !rules.endsOnlyUndecided || UNDECIDED.includes(state)

  /** The messages about one payment. */
  function* movesOf(state: State, at: number, one: Payment): Generator<Move> {
    const { payments, hasCrashed } = state
    const count = (is: (one: Payment) => boolean) => payments.filter(is).length
    const surplus = count((other) => other.surplus !== 'none')
    const paid = count(({ money }) => money !== 'none') + surplus
    const isCaptured = one.money === 'captured'
    const isPaid = isCaptured || one.money === 'authorised'
    if (one.isPayable && one.money === 'none' && paid < MAX_PAID)
      yield ['pay', set(state, at, { money: 'authorised' })]
    const isOpen = one.isPayable && UNDECIDED.includes(one.state)
    if (isOpen && paid === 0 && count(({ isDeclined }) => isDeclined) < MAX_DECLINED)
      yield ['is declined', decline(state, at, one)]
    if (isPaid && surplus < MAX_SURPLUS && paid < MAX_PAID)
      yield ['pay again', set(state, at, { surplus: 'paid' })]
    if (one.money === 'authorised') {
      yield ['capture', set(state, at, { money: 'captured' })]
      yield ['bank fails', set(state, at, { money: 'failed' })]
    }
    if (isPaid) yield ['verify', complete(state, at, one)]
    if (isCaptured) yield ['webhook', complete(state, at, one)]
    if (isCaptured && UNDECIDED.includes(one.state) && !hasCrashed)
      yield ['webhook crashes', set(state, at, { isKnown: true }, { hasCrashed: true })]
    if (one.surplus === 'paid') yield ['webhook again', set(state, at, { surplus: 'due' })]
    if (one.surplus === 'due') yield ['refund again', set(state, at, { surplus: 'refunded' })]
    if (isEnding(one)) yield ['cancel', end(state, at, one, 'failed')]
    if (one.state === 'created') yield ['expire', end(state, at, one, 'expired')]
    const asked = payments.reduce((sum, other) => sum + other.asked, 0)
    const isRefundable = one.hasOrder && one.asked < 2 && asked < MAX_REFUNDS
    if (isRefundable && (one.state === 'captured' || one.state === 'refunded'))
      yield [
        'refund a half',
        set(state, at, { ...become(one.state, 'refund_pending'), asked: one.asked + 1 }),
      ]
    if (one.state === 'refund_pending' && one.hasOrder && one.refunded < one.asked) {
      const left = become(one.state, one.refunded > 0 ? 'refunded' : 'captured')
      yield ['give up the refund', set(state, at, { ...left, asked: one.refunded })]
    }
    yield ['refund job', refundNow(state, at, one, false)]
    if (!hasCrashed) yield ['refund job crashes', refundNow(state, at, one, true)]
    if (isCaptured && payments.every(({ refunded }) => refunded === 0))
      yield ['dashboard', refundedElsewhere(state, at, one)]
  }

  function* moves(state: State): Generator<Move> {
    for (const [at, one] of state.payments.entries()) yield* movesOf(state, at, one)
    for (const buyer of [0, 1])
      for (const hasCoupon of [false, true]) {
        yield ['start', start(state, buyer, hasCoupon, false)]
        if (!state.hasCrashed) yield ['start crashes', start(state, buyer, hasCoupon, true)]
      }
  }

  /** Recovery: polls, expiry and refunds, until nothing changes. */
  function recover(state: State): State {
    let now = state
    for (let at = 0; at < now.payments.length; at += 1) {
      const works: ((one: Payment) => State)[] = [
        (one) => (one.state === 'created' ? end(now, at, one, 'expired') : now),
        (one) => (one.money === 'authorised' && isPolled(one) ? complete(now, at, one) : now),
        (one) => (one.money === 'authorised' ? set(now, at, bankOf(one)) : now),
        (one) => (one.money === 'captured' && isPolled(one) ? complete(now, at, one) : now),
        (one) => refundNow(now, at, one, false),
        (one) => (one.surplus === 'none' ? now : set(now, at, { surplus: 'refunded' })),
      ]
      for (const work of works) {
        const one = now.payments[at]
        if (one) now = work(one)
      }
    }
    return now
  }

  const isPolled = ({ isDeclined }: Payment) => rules.pollsDeclined || !isDeclined

  /** The shop captures what pays for an order; the bank releases the rest. */
  const bankOf = ({ state }: Payment): Partial<Payment> =>
    state === 'captured'
      ? { money: 'captured' }
      : { money: 'failed', isForgotten: UNDECIDED.includes(state) }

  return { moves, recover }
}

const refundIsOver = ({ hasOrder, money, state }: Payment) =>
  state !== 'refund_pending' || (hasOrder && money === 'failed')

/** The rules that a state breaks, as sentences. */
export function* violationsIn({ free, coupons, payments }: State): Generator<string> {
  const count = (is: (one: Payment) => boolean) => payments.filter(is).length
  const reserved = count(({ state }) => state === 'created')
  const sold = count(({ hasOrder }) => hasOrder)
  if (free < 0) yield 'more is sold than there is'
  if (free + reserved + sold !== QUANTITY)
    yield `${free} free + ${reserved} reserved + ${sold} sold`
  const uses = count((one) => one.hasCoupon && (one.state === 'created' || one.hasOrder))
  if (uses > 1 || uses + coupons !== 1) yield `the coupon has ${uses} uses and ${coupons} left`
  for (const { state, hasOrder, isKnown, isDeclined, refunded, asked } of payments) {
    if (hasOrder && (UNDECIDED.includes(state) || state === 'failed')) yield `an order is ${state}`
    if (isDeclined && state === 'failed' && !isKnown) yield 'a declined attempt ends a purchase'
    if (state === 'captured' && !hasOrder) yield 'captured money has no order'
    if (state === 'refunded' && refunded < (hasOrder ? asked : 2)) yield 'a refund is incomplete'
    if (refunded > 2) yield 'more is refunded than was paid'
  }
}

/** The payments that are not settled after recovery, as sentences. */
export function* unsettledIn({ payments }: State): Generator<string> {
  for (const one of payments) {
    const { state, money, isForgotten, hasOrder, refunded, asked, surplus } = one
    if (isForgotten) yield 'a late success is forgotten'
    if (state === 'created' || !refundIsOver(one)) yield `a payment is ${state}`
    if (money === 'captured' && refunded < (hasOrder ? asked : 2)) yield 'money is not refunded'
    if (surplus === 'paid' || surplus === 'due') yield 'a second payment is not refunded'
  }
}
