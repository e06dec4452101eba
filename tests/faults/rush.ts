import { setTimeout } from 'node:timers/promises'
import { type Answer, type Client, clientOf } from '#tests/support/api-client.ts'
import { noteFailure, noteOrder } from './client-log.ts'
import { type Exercise, exercise } from './exercise.ts'
import type { Fault, Outcome, Trial } from './fault.ts'
import { type Goods, LAST_QUANTITIES, type Shopper } from './fixtures.ts'

const BUYERS = { long: 1000, short: 40 }
const PAUSE_MS = 200

/** Retries until there is an answer that counts; null when it is a refusal. */
async function retry<Body>(
  { log, random }: Exercise,
  request: string,
  send: () => Promise<Answer<Body & object>>,
): Promise<Body | null> {
  for (;;) {
    const answer = await send()
    if (answer.status === 200) return answer.body
    if (noteFailure(log, request, answer)) return null
    await setTimeout(random.between(PAUSE_MS, 3 * PAUSE_MS))
  }
}

/** Tries to buy one of the last pieces. */
async function buy(running: Exercise, call: Client, { token }: Shopper, { _id, price }: Goods) {
  const { provider } = running.environment
  const body = { amount: price, cart: [{ _id }] }
  const started = await retry(running, 'start', () =>
    call<{ id: string }>('POST', '/product/razorpay/order', { token, body }),
  )
  if (!started) return
  running.log.started += 1
  const proof = provider.pay(started.id)
  const verified = await retry(running, 'verify', () =>
    call<{ order: { _id: string } }>('POST', '/product/razorpay/verify', { token, body: proof }),
  )
  if (verified) noteOrder(running.log, proof.razorpay_payment_id, verified.order._id)
}

/** More buyers than pieces, at once: on two shops with PostgreSQL, on one with PGlite. */
async function rush({ rounds, random, server, embedded }: Trial) {
  const form = rounds === undefined ? 'short' : 'long'
  const buyers = BUYERS[form]
  const quantity = LAST_QUANTITIES[form]
  const database = await (server ?? embedded).open()
  const { shoppers, last } = database.population
  const shops = server ? 2 : 1
  // many connections of one address are allowed to a trusted proxy only
  const settings = { RESERVATION_MINUTES: '15', TRUST_PROXY: '127.0.0.1' }
  const setting = { clients: 0, shops, settings }
  const outcome: Outcome = await exercise(database, random, setting, async (running) => {
    const { addresses } = running.environment
    const all = shoppers.slice(0, buyers).map((shopper, n) => {
      const call = clientOf(() => addresses[n % addresses.length] ?? '')
      return buy(running, call, shopper, last[form])
    })
    await Promise.all(all)
    return { shops, buyers, quantity, 'sold out': running.log.soldOut }
  })
  const { counts, losses } = outcome
  if (counts.orders !== quantity) losses.push(`${counts.orders} orders for ${quantity} pieces`)
  return outcome
}

export const rushForLastPieces: Fault = { name: 'a rush for the last pieces', run: rush }
