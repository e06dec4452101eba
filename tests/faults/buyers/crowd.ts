import { setTimeout } from 'node:timers/promises'
import type { PaymentProof } from '#app/payments/contract.ts'
import type { Dice } from '../dice.ts'
import type { Goods, Shopper } from '../stage/populate.ts'
import { HOLD_SECONDS, type Stage } from '../stage/stage.ts'
import { type Client, clientOf } from './client.ts'
import { noteFailure, noteOrder, openTally, type Tally } from './tally.ts'

/**
 * What a buyer does after starting: pays and waits for the order, or asks for it twice at once, or
 * closes the browser when the money is gone; leaves the dialog, or just walks away; or pays when
 * the pieces are held no more.
 */
const HABITS = ['pays', 'pays', 'pays', 'asks twice', 'vanishes', 'leaves', 'forgets'] as const
const SLOW_HABITS = [...HABITS, 'pays late'] as const

const PAUSE_MS = 100
/** Between two visits at most. */
const LOOK_AROUND_MS = 300

type Started = { id: string; amount: number }
type Verified = { order: { _id: string } }

type Options = {
  buyers: number
  /** Some pay when the pieces are held no more; a visit then takes some seconds. */
  late?: boolean
  /** Where they go; otherwise to the shops in turn. */
  address?: () => string
  goods?: Goods[]
}

/** Buyers who come again and again, from `open` to `close`. */
export type Crowd = {
  tally: Tally
  open: () => void
  /** Sends them home: what is under way is answered or given up. */
  close: () => Promise<void>
}

type Visit = { stage: Stage; dice: Dice; call: Client; tally: Tally; isOpen: () => boolean }

/** Asks for the order until there is an answer that means something; false when there is none yet. */
async function verify({ call, tally, isOpen, dice }: Visit, token: string, proof: PaymentProof) {
  while (isOpen()) {
    const answer = await call<Verified>('POST', '/product/razorpay/verify', { token, body: proof })
    if (answer.status === 200) {
      noteOrder(tally, proof.razorpay_payment_id, answer.body.order._id)
      return true
    }
    if (noteFailure(tally, 'verify', answer)) return true
    await setTimeout(dice.between(PAUSE_MS, 3 * PAUSE_MS))
  }
  return false
}

async function start({ call, tally, dice }: Visit, token: string, goods: Goods[]) {
  const pieces = Array.from({ length: dice.between(1, 3) }, () => {
    const [first, ...others] = goods
    if (!first) throw new Error('There is nothing to buy.')
    return dice.pick([first, ...others])
  })
  const amount = pieces.reduce((sum, { price }) => sum + price, 0)
  const cart = pieces.map(({ _id }) => ({ _id }))
  const body = { amount, cart }
  const answer = await call<Started>('POST', '/product/razorpay/order', { token, body })
  if (answer.status !== 200) {
    noteFailure(tally, 'start', answer)
    await setTimeout(dice.between(PAUSE_MS, 3 * PAUSE_MS))
    return null
  }
  tally.started += 1
  await stagePause(dice)
  return answer.body
}

const stagePause = (dice: Dice) => setTimeout(dice.between(0, 40))

async function leave({ call, tally }: Visit, token: string, orderId: string) {
  const body = { razorpay_order_id: orderId }
  const answer = await call<object>('POST', '/product/razorpay/cancel', { token, body })
  if (answer.status === 200) tally.cancelled += 1
  else noteFailure(tally, 'cancel', answer)
}

/** One visit; answers a proof of payment that the shop has not answered for yet. */
async function visit(
  given: Visit,
  { token }: Shopper,
  { late, goods }: { late: boolean; goods: Goods[] },
): Promise<PaymentProof | null> {
  const { stage, dice } = given
  const { messenger } = stage.provider
  const started = await start(given, token, goods)
  if (!started) return null
  await messenger.forge(started.id, started.amount)
  const habit = dice.pick(late ? SLOW_HABITS : HABITS)
  if (habit === 'forgets') return null
  if (habit === 'leaves') {
    await leave(given, token, started.id)
    return null
  }
  if (habit === 'pays late') await setTimeout((HOLD_SECONDS + dice.next()) * 1000)
  const proof = stage.provider.pay(started.id)
  if (habit === 'vanishes') return null
  const asks = habit === 'asks twice' ? 2 : 1
  const answered = await Promise.all(
    Array.from({ length: asks }, () => verify(given, token, proof)),
  )
  return answered.includes(true) ? null : proof
}

export function gather(
  stage: Stage,
  dice: Dice,
  { buyers, late = false, address, goods = stage.database.population.goods }: Options,
): Crowd {
  let turn = 0
  const anyShop = () => stage.addresses[turn++ % stage.addresses.length] ?? ''
  const tally = openTally()
  let isOpen = false
  const given: Visit = {
    ...{ stage, dice, tally, isOpen: () => isOpen },
    call: clientOf(address ?? anyShop),
  }
  /** Who has paid asks again at the next opening, as a browser does when it is started again. */
  const unanswered = new Map<Shopper, PaymentProof>()
  const shop = async (shopper: Shopper) => {
    const open = unanswered.get(shopper)
    if (open && (await verify(given, shopper.token, open))) unanswered.delete(shopper)
    while (isOpen) {
      const proof = await visit(given, shopper, { late, goods })
      if (proof) unanswered.set(shopper, proof)
      await setTimeout(dice.between(0, LOOK_AROUND_MS))
    }
  }
  let shopping: Promise<void>[] = []
  return {
    tally,
    open: () => {
      isOpen = true
      shopping = stage.database.population.shoppers.slice(0, buyers).map(shop)
    },
    close: async () => {
      isOpen = false
      await Promise.all(shopping)
    },
  }
}
