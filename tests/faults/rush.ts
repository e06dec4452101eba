import { setTimeout } from 'node:timers/promises'
import { type Answer, type Client, clientOf } from './buyers/client.ts'
import { noteFailure, noteOrder } from './buyers/tally.ts'
import { exercise, type Scene } from './exercise.ts'
import { type Fault, NO_SERVER, type Outcome, type Trial } from './fault.ts'
import type { StageDatabase } from './stage/database.ts'
import { type Goods, LAST, type Shopper } from './stage/populate.ts'

const BUYERS = { long: 1000, short: 40 }
const PAUSE_MS = 200

/** Asks until there is an answer that means something; null when it is a refusal. */
async function insist<Body>(
  { tally, dice }: Scene,
  doing: string,
  ask: () => Promise<Answer<Body & object>>,
): Promise<Body | null> {
  for (;;) {
    const answer = await ask()
    if (answer.status === 200) return answer.body
    if (noteFailure(tally, doing, answer)) return null
    await setTimeout(dice.between(PAUSE_MS, 3 * PAUSE_MS))
  }
}

/** Wants one of the last pieces, and pays when there is one. */
async function buy(scene: Scene, call: Client, { token }: Shopper, { _id, price }: Goods) {
  const { provider } = scene.stage
  const body = { amount: price, cart: [{ _id }] }
  const started = await insist(scene, 'start', () =>
    call<{ id: string }>('POST', '/product/razorpay/order', { token, body }),
  )
  if (!started) return
  scene.tally.started += 1
  const proof = provider.pay(started.id)
  const verified = await insist(scene, 'verify', () =>
    call<{ order: { _id: string } }>('POST', '/product/razorpay/verify', { token, body: proof }),
  )
  if (verified) noteOrder(scene.tally, proof.razorpay_payment_id, verified.order._id)
}

/** They come through a proxy, as it were: nobody else may have so many connections. */
async function rush({ rounds, dice }: Trial, database: StageDatabase, shops: number) {
  const form = rounds === undefined ? 'short' : 'long'
  const [buyers, pieces] = [BUYERS[form], LAST[form]]
  const { shoppers, last } = database.population
  const setting = { buyers: 0, shops, settings: { HOLD_MINUTES: '15', TRUST_PROXY: '127.0.0.1' } }
  const { counts, losses }: Outcome = await exercise(database, dice, setting, async (scene) => {
    const { addresses } = scene.stage
    const all = shoppers.slice(0, buyers).map((shopper, n) => {
      const call = clientOf(() => addresses[n % addresses.length] ?? '')
      return buy(scene, call, shopper, last[form])
    })
    await Promise.all(all)
    return { processes: shops, buyers, pieces, 'found it sold out': scene.tally.soldOut }
  })
  if (counts.orders !== pieces) losses.push(`${counts.orders} orders for ${pieces} pieces`)
  return { counts, losses }
}

export const rushOnPGlite: Fault = {
  name: 'a rush for the last pieces on PGlite',
  run: async (trial) => rush(trial, await trial.embedded.open(), 1),
}

export const rushOnPostgres: Fault = {
  name: 'a rush for the last pieces on PostgreSQL',
  run: async (trial) => (trial.server ? rush(trial, await trial.server.open(), 2) : NO_SERVER),
}
