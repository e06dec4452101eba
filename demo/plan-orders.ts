/** The orders of the demo before they are inserted: the same for each database, but for their times. Pure. */
import { v7 as uuidv7 } from 'uuid'
import { shareByLargestRemainder, sum } from '#app/shared/server/shares.ts'
import { DEMO_CUSTOMERS } from './customers.ts'

/** A product that the demo sells. */
export type Sellable = {
  id: string
  name: string
  slug: string
  description: string
  price_minor: number
}

/** A discount of the demo: a share, or an amount from a total on. */
export type DemoDiscount = {
  code: string
  percent?: number
  amount_minor?: number
  minimum_minor?: number
}

export const DEMO_DISCOUNTS = [
  { code: 'WELCOME10', percent: 10 },
  { code: 'MARKET5', amount_minor: 500, minimum_minor: 5000 },
] as const satisfies DemoDiscount[]

type PlannedLine = { product: Sellable; quantity: number; discountMinor: number }

type Move = { from: string; to: 'Processing' | 'Shipped' | 'deliverd' | 'cancel'; at: Date }

/** A refund of some pieces of a line; of all lines where the order is cancelled. */
type PlannedRefund = { at: Date; reason: string; pieces: { position: number; quantity: number }[] }

export type PlannedOrder = {
  id: string
  paymentId: string
  /** The place of its buyer among the customers. */
  customer: number
  at: Date
  lines: PlannedLine[]
  discount: DemoDiscount | null
  totalMinor: number
  isPaid: boolean
  moves: Move[]
  shipment: { carrier: string; trackingNumber: string } | null
  refund: PlannedRefund | null
}

export const ORDERS = 60
const DAYS = 90
const MINUTE = 60_000
/** Above 1 orders become more frequent. */
const GROWTH = 1.6

/** The places of the orders that are no plain delivered ones, from the oldest, 0, to the newest. */
const UNPAID = [52, 55, 58]
const CANCELLED = [17, 41, 50]
const REFUNDED = [12, 30, 46]
const WITH_DISCOUNT: Record<number, DemoDiscount> = Object.fromEntries([
  ...[5, 14, 23, 33, 44, 54].map((place) => [place, DEMO_DISCOUNTS[0]]),
  ...[9, 27, 38, 51].map((place) => [place, DEMO_DISCOUNTS[1]]),
])
const PROCESSING_FROM = 53
const NEW_FROM = 56
const SHIPPED_FROM = 47

const REASONS = ['It arrived with a crack.', 'The colour was not as expected.', 'One was too many.']
const CARRIERS = ['DHL', 'UPS', 'Royal Mail']

/** Numbers from 0 to below 1, the same for each seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Random = () => number

const below = (random: Random, count: number) => Math.floor(random() * count)

/** One to three products, each once or twice: at least as many, and for as much, as asked for. */
function chooseLines(
  random: Random,
  products: Sellable[],
  { count = 1, minimumMinor = 0 }: { count?: number; minimumMinor?: number },
) {
  const wanted = Math.max(count, 1 + below(random, 3))
  const lines = new Map<Sellable, number>()
  const total = () => sum([...lines].map(([{ price_minor }, quantity]) => price_minor * quantity))
  while (lines.size < wanted || total() < minimumMinor) {
    const product = products[below(random, products.length)]
    if (product) lines.set(product, random() < 0.25 ? 2 : 1)
  }
  return [...lines].map(([product, quantity]) => ({ product, quantity }))
}

/** The lines with their shares of the discount. */
function discounted(
  lines: { product: Sellable; quantity: number }[],
  discount: DemoDiscount | null,
): PlannedLine[] {
  const amounts = lines.map(({ product, quantity }) => product.price_minor * quantity)
  const minor = discount
    ? (discount.amount_minor ?? Math.round((sum(amounts) * (discount.percent ?? 0)) / 100))
    : 0
  const shares = shareByLargestRemainder(minor, amounts)
  return lines.map((line, at) => ({ ...line, discountMinor: shares[at] ?? 0 }))
}

/** When the status of an order was changed, none after `now`. */
function movesOf(place: number, at: Date, now: Date): Move[] {
  const after = (hours: number) =>
    new Date(Math.min(at.getTime() + hours * 60 * MINUTE, now.getTime() - MINUTE))
  if (CANCELLED.includes(place)) return [{ from: 'Not Process', to: 'cancel', at: after(6) }]
  if (UNPAID.includes(place) || place >= NEW_FROM) return []
  const packing: Move = { from: 'Not Process', to: 'Processing', at: after(3) }
  if (place >= PROCESSING_FROM) return [packing]
  const sent: Move = { from: 'Processing', to: 'Shipped', at: after(22) }
  if (place >= SHIPPED_FROM) return [packing, sent]
  return [packing, sent, { from: 'Shipped', to: 'deliverd', at: after(94) }]
}

function refundOf(place: number, lines: PlannedLine[], moves: Move[]): PlannedRefund | null {
  const last = moves.at(-1)
  if (CANCELLED.includes(place) && last)
    return {
      at: last.at,
      reason: 'The customer has changed their mind.',
      pieces: lines.map(({ quantity }, position) => ({ position, quantity })),
    }
  if (!REFUNDED.includes(place) || !last) return null
  const reason = REASONS[REFUNDED.indexOf(place)] ?? ''
  const at = new Date(last.at.getTime() + 20 * 60 * MINUTE)
  return { at, reason, pieces: [{ position: 0, quantity: 1 }] }
}

function shipmentOf(place: number, moves: Move[]): PlannedOrder['shipment'] {
  if (!moves.some(({ to }) => to === 'Shipped')) return null
  const carrier = CARRIERS[place % CARRIERS.length] ?? 'DHL'
  return { carrier, trackingNumber: `SAMPLE${String(4_071_000 + place * 37)}` }
}

function planOrder(place: number, random: Random, products: Sellable[], now: Date): PlannedOrder {
  const share = (ORDERS - 1 - place + random() * 0.9 + 0.05) / ORDERS
  const minutesAgo = 30 + Math.floor(share ** GROWTH * (DAYS * 24 * 60 - 60))
  const at = new Date(now.getTime() - minutesAgo * MINUTE)
  const discount = WITH_DISCOUNT[place] ?? null
  // a refund of one piece leaves others
  const atLeast = {
    count: REFUNDED.includes(place) ? 2 : 1,
    minimumMinor: discount?.minimum_minor ?? 0,
  }
  const lines = discounted(chooseLines(random, products, atLeast), discount)
  const moves = movesOf(place, at, now)
  return {
    id: uuidv7({ msecs: at.getTime() }),
    paymentId: uuidv7({ msecs: at.getTime() - MINUTE }),
    customer: (place * 3 + below(random, 3)) % DEMO_CUSTOMERS.length,
    at,
    lines,
    discount,
    totalMinor: sum(
      lines.map((line) => line.product.price_minor * line.quantity - line.discountMinor),
    ),
    isPaid: !UNPAID.includes(place),
    moves,
    shipment: shipmentOf(place, moves),
    refund: refundOf(place, lines, moves),
  }
}

/** The orders of the last ninety days, oldest first. */
export function planOrders(products: Sellable[], now: Date): PlannedOrder[] {
  const random = seeded(9)
  return Array.from({ length: ORDERS }, (_, place) => planOrder(place, random, products, now))
}
