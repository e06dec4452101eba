/** A small model of payments. Among three, a refund is one step, and the bank does nothing rare. */
import { PAYABLE, type PaymentState } from '#app/payments/server/transitions.ts'
import { AUTHORISED, type Money, openMoney, PAID } from './model-money.ts'
import type { Payment, Rules, State } from './model-state.ts'

const MAX_STARTS = 3
const MAX_PAID = 2
const MAX_REFUNDS = 2
const MAX_DECLINED = 1

type Move = [message: string, next: State]

export const isPayable = ({ state }: Pick<Payment, 'state'>) => PAYABLE.includes(state)
const isUndecided = ({ purpose }: Money) => purpose === 'undecided'
const replaced = <One>(all: One[], at: number, by: One) =>
  all.map((one, n) => (n === at ? by : one))

/** Whether nothing rare has happened to its money, which is not paid twice, and no refund is in progress. */
const isCalm = ({ money }: Payment) =>
  money.length < 2 &&
  money.every((one) => !one.refund && !one.disputed && !one.isLate && one.status !== 'released')

/** The model with its rules; `used` gets every transition that it makes. */
export function openModel(rules: Rules, used: Set<string>) {
  const works = openMoney(rules, used)

  const set = (state: State, at: number, by: Payment, rest: Partial<State> = {}): State => ({
    ...state,
    ...rest,
    payments: replaced(state.payments, at, by),
  })
  /** The payment in its next state. What was declined matters while it is payable: fewer states to walk. */
  function become(one: Payment, to: PaymentState): Payment {
    const state = works.change('payments', one.state, to)
    return { ...one, state, isDeclined: one.isDeclined && PAYABLE.includes(state) }
  }
  /** The stock and the coupon that the end of a reservation returns. */
  const returned = (state: State, { state: former, hasCoupon }: Payment): Partial<State> =>
    former === 'open' ? { free: state.free + 1, coupons: state.coupons + (hasCoupon ? 1 : 0) } : {}

  /** Ends a payment. Of a cancelled one, undecided money goes back. */
  function end(state: State, at: number, one: Payment, to: 'expired' | 'cancelled'): State {
    const ended = become(one, to)
    const back = (each: Money) => (isUndecided(each) ? works.refuse(each) : each)
    const money = to === 'cancelled' ? one.money.map(back) : one.money
    return set(state, at, { ...ended, money }, returned(state, one))
  }

  /** Decides what money pays for, once. */
  function decide(state: State, at: number, n: number): State {
    const { payments } = state
    const one = payments[at] as Payment
    const own = one.money[n] as Money
    const refused = { ...one, money: replaced(one.money, n, works.refuse(own)) }
    if (!isPayable(one)) return set(state, at, refused)
    const takesStock = one.state === 'expired' && rules.takesStockAgain
    const takesCoupon = one.state === 'expired' && one.hasCoupon && rules.takesCouponAgain
    if ((takesStock && state.free === 0) || (takesCoupon && state.coupons === 0))
      return end(set(state, at, refused), at, refused, 'cancelled')
    const money = one.money.map((each, other) => {
      if (other === n) return works.payFor(each)
      return isUndecided(each) ? works.refuse(each) : each
    })
    return set(
      state,
      at,
      { ...become(one, 'paid'), money },
      { free: state.free - (takesStock ? 1 : 0), coupons: state.coupons - (takesCoupon ? 1 : 0) },
    )
  }

  /** Completion: the shop learns of money, perhaps from the provider itself, and decides on it once. */
  function complete(state: State, at: number, n: number, isConfirmed: boolean): State {
    const { purpose } = state.payments[at]?.money[n] ?? AUTHORISED
    const isDecided = purpose !== null && purpose !== 'undecided'
    const decided = isDecided ? state : decide(state, at, n)
    return isConfirmed ? onMoney(decided, at, n, works.confirm) : decided
  }

  /** A change of one money. */
  function onMoney(state: State, at: number, n: number, work: (one: Money) => Money): State {
    const one = state.payments[at] as Payment
    const before = one.money[n] as Money
    const after = work(before)
    return after === before
      ? state
      : set(state, at, { ...one, money: replaced(one.money, n, after) })
  }

  /** A buyer has one reservation: the former one ends. An open payment of the same cart is reserved again. */
  function start(before: State, buyer: number, hasCoupon: boolean, crashes: boolean): State {
    const former = before.payments.findIndex((one) => one.buyer === buyer && one.state === 'open')
    const one = before.payments[former]
    const state = one ? end(before, former, one, 'expired') : before
    if (state.free === 0 || (hasCoupon && state.coupons === 0)) return before
    const taken = { free: state.free - 1, coupons: state.coupons - (hasCoupon ? 1 : 0) }
    const isSame = (other: Payment) =>
      other.buyer === buyer &&
      isPayable(other) &&
      other.hasCoupon === hasCoupon &&
      other.hasProviderOrder &&
      other.money.every(({ purpose }) => purpose === null)
    const same = state.payments.findIndex(isSame)
    const again = state.payments[same]
    if (again) return set(state, same, become(again, 'open'), taken)
    if (state.payments.length === MAX_STARTS || !state.payments.every(isCalm)) return before
    const payment: Payment = {
      buyer,
      hasCoupon,
      state: 'open',
      hasProviderOrder: !crashes,
      isByHand: false,
      isDeclined: false,
      money: [],
    }
    const hasFault = state.hasFault || crashes
    return { ...taken, hasFault, payments: [...state.payments, payment] }
  }

  /** The bank declines an attempt: the payment stays open, whether or not its reservation is released. */
  function decline(state: State, at: number, one: Payment): State {
    const next = rules.keepsDeclined ? state : end(state, at, one, 'cancelled')
    return set(next, at, { ...(next.payments[at] ?? one), isDeclined: true })
  }

  /** An order is placed unpaid, without a provider: it is the only purchase, so that there are fewer states. */
  function placeUnpaid(state: State, hasCoupon: boolean): State {
    if (state.payments.length > 0) return state
    const started = start(state, 0, hasCoupon, false)
    const [one] = started.payments
    return one
      ? set(started, 0, { ...become(one, 'owed'), hasProviderOrder: false, isByHand: true })
      : state
  }

  /** An admin enters the money of an unpaid order, or cancels the order. */
  function* movesOfOwed(state: State, at: number, one: Payment): Generator<Move> {
    const money = { ...works.payFor(AUTHORISED), status: 'captured' as const, isConfirmed: true }
    yield ['enter the money', set(state, at, { ...become(one, 'paid'), money: [money] })]
    const coupons = state.coupons + (one.hasCoupon ? 1 : 0)
    const free = state.free + (rules.returnsUnpaid ? 1 : 0)
    yield ['cancel the order', set(state, at, become(one, 'cancelled'), { free, coupons })]
  }

  const rare = (next: State): State => ({ ...next, hasFault: true })

  /** The bank and the provider. What is rare happens once. */
  function* movesOfBank(state: State, at: number, n: number): Generator<Move> {
    const { payments } = state
    const hasFault = state.hasFault || payments.length === MAX_STARTS
    const one = payments[at]?.money[n] as Money
    const becomes = (by: Partial<Money>) => onMoney(state, at, n, () => ({ ...one, ...by }))
    if (one.status === 'authorised') {
      yield ['capture', becomes({ status: 'captured' })]
      yield ['bank fails', becomes({ status: 'failed' })]
      if (!hasFault) yield ['bank releases', rare(becomes({ status: 'released' }))]
    }
    if (one.status === 'failed' && !hasFault)
      yield ['bank captures late', rare(becomes({ status: 'captured', isLate: true }))]
    const isKnown = one.status === 'captured' && one.purpose !== null
    if (isKnown && !hasFault && one.paidBack + one.inFlight < PAID)
      yield ['dispute is lost', rare(onMoney(state, at, n, works.loseDispute))]
  }

  /** Refunds. Those of two payments do not meet: one is at the provider at a time, so that there are fewer states. */
  function* movesOfRefund(state: State, at: number, n: number): Generator<Move> {
    const { payments, hasFault } = state
    const one = payments[at]?.money[n] as Money
    const all = payments.flatMap(({ money }) => money)
    const becomes = (by: Partial<Money>) => onMoney(state, at, n, () => ({ ...one, ...by }))
    const { purpose, refund, asked, disputed, inFlight, paidBack } = one
    if (payments.length === MAX_STARTS) return yield ['refund', refundWhole(state, at, n)]
    if (all.some((other) => other !== one && other.inFlight > 0)) return
    const askedOfAll = all
      .filter((each) => each.purpose === 'order')
      .reduce((sum, each) => sum + each.asked, 0)
    // before 0.4.0, money that was only authorised was refunded, too
    const isRefundable = purpose === 'order' && (one.isConfirmed || payments.length === 1)
    if (isRefundable && !refund && asked + disputed < PAID && askedOfAll < MAX_REFUNDS)
      yield ['refund a half', becomes({ refund: 'pending', asked: asked + 1 })]
    if (purpose === 'order' && refund === 'failed')
      yield ['give up the refund', onMoney(state, at, n, works.giveUp)]
    yield ['refund job', onMoney(state, at, n, (each) => works.advance(each))]
    if ((refund === 'pending' || refund === 'failed') && !hasFault)
      yield ['refund job crashes', rare(onMoney(state, at, n, (each) => works.advance(each, true)))]
    if (inFlight > 0)
      yield ['bank refunds', becomes({ inFlight: 0, paidBack: paidBack + inFlight })]
    if (inFlight > 0 && !hasFault) yield ['bank refuses the refund', rare(becomes({ inFlight: 0 }))]
    if (one.status === 'captured' && all.every((each) => each.paidBack + each.inFlight === 0))
      yield ['dashboard', onMoney(state, at, n, works.refundElsewhere)]
  }

  /** The messages about money. */
  function* movesOfMoney(state: State, at: number, n: number): Generator<Move> {
    const payment = state.payments[at] as Payment
    const { status, purpose, isLate } = payment.money[n] as Money
    if (status === 'captured' || status === 'authorised')
      yield ['verify', complete(state, at, n, false)]
    if (status === 'captured') yield ['webhook', complete(state, at, n, true)]
    if (status === 'captured' && isPayable(payment) && purpose === null && !state.hasFault)
      yield [
        'webhook crashes',
        rare(onMoney(state, at, n, (one) => ({ ...one, purpose: 'undecided' }))),
      ]
    if (status === 'failed' || status === 'released' || isLate)
      yield ['poll finds it failed', onMoney(state, at, n, works.markVoided)]
    yield* movesOfBank(state, at, n)
    yield* movesOfRefund(state, at, n)
  }

  const isEnding = (one: Payment) => !rules.endsOnlyPayable || isPayable(one)

  /** The messages about one payment. */
  function* movesOf(state: State, at: number, one: Payment): Generator<Move> {
    const { payments } = state
    const paid = payments.reduce((sum, { money }) => sum + money.length, 0)
    const declined = payments.filter(({ isDeclined }) => isDeclined).length
    const pay = () => set(state, at, { ...one, money: [...one.money, AUTHORISED] })
    const mayPayAgain =
      payments.length < MAX_STARTS &&
      one.money.some(({ status }) => ['authorised', 'captured'].includes(status))
    if (one.hasProviderOrder && paid < MAX_PAID && (one.money.length === 0 || mayPayAgain))
      yield [one.money.length === 0 ? 'pay' : 'pay again', pay()]
    if (one.hasProviderOrder && isPayable(one) && paid === 0 && declined < MAX_DECLINED)
      yield ['is declined', decline(state, at, one)]
    if (one.state === 'owed') yield* movesOfOwed(state, at, one)
    else if (isEnding(one)) yield ['cancel', end(state, at, one, 'cancelled')]
    if (one.state === 'open') yield ['expire', end(state, at, one, 'expired')]
    for (const n of one.money.keys()) yield* movesOfMoney(state, at, n)
  }

  function* moves(state: State): Generator<Move> {
    for (const [at, one] of state.payments.entries()) yield* movesOf(state, at, one)
    if (state.payments.some(({ isByHand }) => isByHand)) return
    for (const buyer of [0, 1])
      for (const hasCoupon of [false, true]) {
        yield ['start', start(state, buyer, hasCoupon, false)]
        if (!state.hasFault) yield ['start crashes', start(state, buyer, hasCoupon, true)]
      }
    for (const hasCoupon of [false, true]) yield ['order unpaid', placeUnpaid(state, hasCoupon)]
  }

  const isPolled = ({ isDeclined }: Payment) => rules.pollsDeclined || !isDeclined

  /** A poll: the shop captures authorised money that pays for an order, and the bank releases the rest. */
  function poll(before: State, at: number, n: number): State {
    const status = () => before.payments[at]?.money[n]?.status
    let state = before
    if (status() === 'authorised') {
      state = complete(state, at, n, false)
      state = onMoney(state, at, n, (one) =>
        one.purpose === 'order' ? { ...one, status: 'captured' } : { ...one, status: 'released' },
      )
    }
    return onMoney(settled(state, at, n), at, n, works.compare)
  }

  const settled = (state: State, at: number, n: number): State =>
    state.payments[at]?.money[n]?.status === 'captured'
      ? complete(state, at, n, true)
      : onMoney(state, at, n, works.markVoided)

  /** The refund job, and the bank. */
  const refundWhole = (state: State, at: number, n: number): State =>
    onMoney(state, at, n, (one) => {
      const requested = works.advance(one)
      const { paidBack, inFlight } = requested
      return works.advance({ ...requested, inFlight: 0, paidBack: paidBack + inFlight })
    })

  /** Recovery: polls, expiry and refunds, until nothing changes. */
  function recover(state: State): State {
    let now = state
    for (const at of state.payments.keys()) {
      const one = now.payments[at] as Payment
      if (one.state === 'open') now = end(now, at, one, 'expired')
      for (const n of one.money.keys()) {
        if (isPolled(now.payments[at] as Payment)) now = poll(now, at, n)
        for (let left = 3; left > 0; left -= 1) now = refundWhole(now, at, n)
        if (isPolled(now.payments[at] as Payment)) now = poll(now, at, n)
      }
    }
    return now
  }

  return { moves, recover }
}
