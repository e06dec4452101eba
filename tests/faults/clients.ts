import { setTimeout } from 'node:timers/promises'
import type { PaymentProof } from '#app/payments/contract.ts'
import { type Client, clientOf } from '#tests/support/api-client.ts'
import type { Random } from '#tests/support/razorpay/random.ts'
import { type ClientLog, noteFailure, noteOrder, openClientLog } from './client-log.ts'
import type { Environment } from './environment.ts'
import type { Goods, Shopper } from './fixtures.ts'

/** The next step of a client after starting a payment; `vanishes` is after it has paid. */
const BEHAVIOURS = [
  'pays',
  'pays',
  'pays',
  'verifies twice',
  'vanishes',
  'cancels',
  'abandons',
] as const

const PAUSE_MS = 100
const MAX_VISIT_PAUSE_MS = 300

type Started = { id: string; amount: number }
type Verified = { order: { _id: string } }

/** Concurrent clients who buy again and again, from `open` to `close`. */
export type Clients = {
  log: ClientLog
  open: () => void
  /** Resolves when every request is answered or given up. */
  close: () => Promise<void>
}

/** The part of an environment that clients use. */
type Place = { provider: Environment['provider']; goods: Goods[] }

type Session = {
  place: Place
  random: Random
  call: Client
  log: ClientLog
  isOpen: () => boolean
}

/** Verifies until there is an answer that counts; false when there is none yet. */
async function verify(session: Session, token: string, proof: PaymentProof): Promise<boolean> {
  const { call, log, isOpen, random } = session
  while (isOpen()) {
    const answer = await call<Verified>('POST', '/product/razorpay/verify', { token, body: proof })
    if (answer.status === 200) {
      noteOrder(log, proof.razorpay_payment_id, answer.body.order._id)
      return true
    }
    if (noteFailure(log, 'verify', answer)) return true
    await setTimeout(random.between(PAUSE_MS, 3 * PAUSE_MS))
  }
  return false
}

function randomCart({ place, random }: Session): [Goods, ...Goods[]] {
  const [first, ...others] = place.goods
  if (!first) throw new Error('There is nothing to buy.')
  const pick = () => random.pick([first, ...others])
  return [pick(), ...Array.from({ length: random.between(0, 2) }, pick)]
}

async function start(session: Session, token: string): Promise<Started | null> {
  const { call, log, random } = session
  const cart = randomCart(session)
  const amount = cart.reduce((sum, { price }) => sum + price, 0)
  const body = { amount, cart: cart.map(({ _id }) => ({ _id })) }
  const answer = await call<Started>('POST', '/product/razorpay/order', { token, body })
  if (answer.status !== 200) {
    noteFailure(log, 'start', answer)
    await setTimeout(random.between(PAUSE_MS, 3 * PAUSE_MS))
    return null
  }
  log.started += 1
  await setTimeout(random.between(0, 40))
  return answer.body
}

async function cancel({ call, log }: Session, token: string, orderId: string) {
  const body = { razorpay_order_id: orderId }
  const answer = await call<object>('POST', '/product/razorpay/cancel', { token, body })
  if (answer.status === 200) log.cancelled += 1
  else noteFailure(log, 'cancel', answer)
}

/** One purchase; answers a proof that the shop has not answered yet. */
async function buy(session: Session, { token }: Shopper): Promise<PaymentProof | null> {
  const { random } = session
  const { provider } = session.place
  const started = await start(session, token)
  if (!started) return null
  const behaviour = random.pick(BEHAVIOURS)
  if (behaviour === 'cancels') await cancel(session, token, started.id)
  if (behaviour === 'cancels' || behaviour === 'abandons') return null
  // the same cart as in a purchase whose answer was lost: it is paid already, although perhaps not captured yet
  const isPaid = ({ status }: { status: string }) => ['authorized', 'captured'].includes(status)
  if (provider.account.paymentsOf(started.id).some(isPaid)) return null
  const proof = provider.pay(started.id)
  if (behaviour === 'vanishes') return null
  const times = behaviour === 'verifies twice' ? 2 : 1
  const answered = await Promise.all(
    Array.from({ length: times }, () => verify(session, token, proof)),
  )
  return answered.includes(true) ? null : proof
}

type Options = {
  place: Place
  random: Random
  call: Client
  /** The next buyer of one of the `count` clients. */
  next: (client: number) => Shopper
  count: number
  maxPauseMs?: number
}

/** Clients who buy as one shopper after the other. */
export function openBuyers({ place, random, call, next, count, ...rest }: Options): Clients {
  const { maxPauseMs = MAX_VISIT_PAUSE_MS } = rest
  let isOpen = false
  const log = openClientLog()
  const session: Session = { place, random, log, call, isOpen: () => isOpen }
  /** Proofs without an answer are verified again at the next opening, as a browser does. */
  const unanswered = new Map<number, { token: string; proof: PaymentProof }>()
  const visit = async (client: number) => {
    const open = unanswered.get(client)
    if (open && (await verify(session, open.token, open.proof))) unanswered.delete(client)
    while (isOpen) {
      const shopper = next(client)
      const proof = await buy(session, shopper)
      if (proof) unanswered.set(client, { token: shopper.token, proof })
      await setTimeout(random.between(0, maxPauseMs))
    }
  }
  let visits: Promise<void>[] = []
  return {
    log,
    open: () => {
      isOpen = true
      visits = Array.from({ length: count }, (_, client) => visit(client))
    },
    close: async () => {
      isOpen = false
      await Promise.all(visits)
    },
  }
}

/** Clients who call the shops in turn, each as a shopper of its own. */
export function openClients(environment: Environment, random: Random, count: number): Clients {
  const { addresses, database, provider } = environment
  const { goods, shoppers } = database.population
  let turn = 0
  return openBuyers({
    place: { provider, goods },
    random,
    count,
    call: clientOf(() => addresses[turn++ % addresses.length] ?? ''),
    next(client) {
      const shopper = shoppers[client]
      if (!shopper) throw new Error(`There is no shopper ${client}.`)
      return shopper
    },
  })
}
