/** Actions of one buyer and the admin in a running shop, as a seed decides. */
import { vi } from 'vitest'
import type { PaymentProof } from '#app/payments/contract.ts'
import type { Person } from '../support/accounts.ts'
import type { LiveShop } from '../support/razorpay/live-shop.ts'
import type { Random } from '../support/razorpay/random.ts'

const BEHAVIOURS = [
  'pays',
  'pays',
  'vanishes',
  'is authorised only',
  'is declined, and pays',
  'is declined, and has paid later',
  'cancels, and pays',
  'abandons',
] as const
type Behaviour = (typeof BEHAVIOURS)[number]

/**
 * Polls of a payment come 1, 5, 21 and 85 seconds after its start, and attempts of a refund 1, 3, 7, 15, 31 and 63
 * seconds after the first one: the time until the last of them. Slower than the limits of one person.
 */
const POLLED = { timeout: 80_000, interval: 500 }
const MAX_REFUNDS = 2

/** The actions of a story, which decide the state at its end. */
export type Told = {
  behaviour: Behaviour
  buyer: Person
  /** The provider's orders. */
  orderIds: string[]
  /** The refunds of the admin, in minor units. */
  refunded: number
}

type Answer = { status: number; body: { message?: string } }

/**
 * Repeats a call until it is not refused for now: the shop answers 503 while the provider does not, and 409 while a
 * refund is in progress.
 */
const untilAnswered = <Found extends Answer>(call: () => Promise<Found>): Promise<Found> =>
  vi.waitFor(async () => {
    const answer = await call()
    const { status, body } = answer
    if ([0, 409, 429, 503].includes(status)) throw new Error(`${status} ${body.message}`)
    return answer
  }, POLLED)

type Story = { shop: LiveShop; admin: Person; random: Random; told: Told }

async function start({ shop, told }: Story, quantity: number): Promise<string> {
  const { status, body } = await untilAnswered(() => shop.start(told.buyer, { quantity }))
  if (status !== 200) throw new Error(`The start was answered ${status} ${body.message}.`)
  if (!told.orderIds.includes(body.id)) told.orderIds.push(body.id)
  return body.id
}

const verify = ({ shop, told }: Story, proof: PaymentProof) =>
  untilAnswered(() => shop.verify(told.buyer, proof))

async function purchase(story: Story) {
  const { shop, random, told } = story
  const { razorpay } = shop
  const { behaviour, buyer } = told
  const quantity = random.between(1, 3)
  const id = await start(story, quantity)
  if (behaviour === 'pays') await verify(story, razorpay.pay(id))
  if (behaviour === 'vanishes') razorpay.pay(id)
  if (behaviour === 'is authorised only') await verify(story, razorpay.authorise(id))
  if (behaviour.startsWith('is declined')) {
    const attempt = razorpay.decline(id)
    await untilAnswered(() => shop.cancel(buyer, id, true))
    if (behaviour === 'is declined, and has paid later') razorpay.authoriseLate(attempt.id)
    else await verify(story, razorpay.pay(await start(story, quantity)))
  }
  if (behaviour === 'cancels, and pays') {
    await untilAnswered(() => shop.cancel(buyer, id))
    razorpay.pay(id)
  }
}

/** Whether the buyer has an order at the end. */
export const isSale = ({ behaviour }: Told) =>
  behaviour !== 'cancels, and pays' && behaviour !== 'abandons'

/** The admin refunds the order in parts, each as soon as the former one is done. */
async function refundInParts({ shop, admin, random, told }: Story) {
  const { _id } = await vi.waitFor(async () => {
    const [order] = await shop.ordersOf(told.buyer)
    if (!order) throw new Error(`There is no order yet of a buyer who ${told.behaviour}.`)
    return order
  }, POLLED)
  for (let left = random.between(0, MAX_REFUNDS); left > 0; left -= 1) {
    const amount = random.between(1, 300)
    if (random.chance(0.3))
      shop.razorpay.network.delay('refund', { beforeMs: random.between(0, 2000) })
    await untilAnswered(() => shop.refund(_id, { by: admin, amount }))
    told.refunded += amount * 100
  }
}

type Cast = { buyer: Person; admin: Person; random: Random }

/** Tells a story of a buyer. */
export async function tellStory(shop: LiveShop, { buyer, admin, random }: Cast): Promise<Told> {
  const behaviour = random.pick(BEHAVIOURS)
  const told: Told = { behaviour, buyer, orderIds: [], refunded: 0 }
  const story = { shop, admin, random, told }
  await purchase(story)
  // money that is only authorised is refunded when it has come in
  if (isSale(told) && behaviour !== 'is authorised only') await refundInParts(story)
  return told
}

/** The contradictions at the end of a story: of money, orders and refunds. */
export async function unsettledIn(shop: LiveShop, told: Told): Promise<string[]> {
  const { account } = shop.razorpay
  const orders = await shop.ordersOf(told.buyer)
  const found = orders.length === (isSale(told) ? 1 : 0) ? [] : [`${orders.length} orders`]
  for (const { id, captured, status, amount } of told.orderIds.flatMap(account.paymentsOf)) {
    const order = orders.find(({ payment }) => payment.razorpay_payment_id === id)
    const refunded = account.refundedOf(id)
    if (order && !captured) found.push(`the order's money ${id} is ${status}`)
    if (order && refunded !== told.refunded) found.push(`${refunded} is refunded at the provider`)
    if (order && (order.refunded ?? 0) * 100 !== told.refunded)
      found.push(`the order says that ${order.refunded ?? 0} is refunded`)
    if (!order && captured && refunded !== amount)
      found.push(`${id} is neither an order nor refunded`)
  }
  return found
}
