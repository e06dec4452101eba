import { FAILURES, type Failure } from '#tests/support/razorpay/network.ts'
import { exercise } from './exercise.ts'
import type { Fault, Trial } from './fault.ts'

const CLIENTS = 20
/** How many answers of each kind fail. */
const FAILED_ANSWERS = { long: 50, short: 4 }
const SHARE = 0.5

const LABELS: Record<Failure, string> = {
  slow: 'answers after 30 s',
  error: 'times 500',
  'cut before': 'connections cut',
  'cut after': 'connections cut after the work',
  twice: 'answers twice',
}

/** These faults do not depend on the database; PostgreSQL is faster. */
const anyDatabase = ({ server, embedded }: Trial) => (server ?? embedded).open()

/** Half of the provider's answers fail, one kind after the other, and half of its webhooks are lost. */
async function failAnswers(trial: Trial) {
  const { random, rounds } = trial
  const form = rounds === undefined ? 'short' : 'long'
  return exercise(await anyDatabase(trial), random, { clients: CLIENTS }, async (running) => {
    const { environment, clients, log, losses, must } = running
    const { webhooks, network } = environment.provider
    webhooks.setDelivery({ lost: 0.5 })
    const counts: Record<string, number> = {}
    // 30 s are too long for the short form
    const kinds = FAILURES.filter((kind) => form === 'long' || kind !== 'slow')
    clients.open()
    for (const kind of kinds) {
      Object.assign(network.failing, { kind, share: SHARE, count: 0 })
      const enough = FAILED_ANSWERS[form] / (kind === 'slow' ? 5 : 1)
      await must(`too few ${LABELS[kind]}`, () => network.failing.count >= enough)
      counts[LABELS[kind]] = network.failing.count
    }
    await clients.close()
    network.failing.kind = null
    if (log.unanswered > 0) losses.push(`${log.unanswered} requests had no answer`)
    return { ...counts, 'requests refused': log.unavailable }
  })
}

export const badProvider: Fault = { name: 'a bad provider', run: failAnswers }
