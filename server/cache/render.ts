import type { AskInside, Reply } from '../operation/ask-inside.ts'
import type { Address } from './addresses.ts'
import { type Kept, keep, mayBeKept } from './kept.ts'
import type { Memory } from './memory.ts'

/** While the shop cannot answer, what is there is served without asking each time. */
const EXCUSED_MS = 5000

/** What became of a request: something for everybody, or an answer for who asked. */
export type Outcome = { kept: Kept } | { reply: Reply }

/** The request that an answer is made for: its id, and the addresses that it came through. */
export type By = { id: string; from: string }

/** What is wanted, and under which key it is kept. */
export type Wanted = { key: string; address: Address; type?: string | undefined }

/** A photo under another version than its own is nobody's present picture. */
const isOfItsVersion = ({ url }: Address, { headers }: Reply) =>
  !/[?&]v=/.test(url) || String(headers['cache-control']).includes('immutable')

const failed = ({ status }: Reply) => status >= 500
const TOO_OFTEN = 429

async function ask(askInside: AskInside, { key, address, type }: Wanted, by: By): Promise<Outcome> {
  const begun = performance.now()
  const headers = { ...(type !== undefined && { accept: type }) }
  const reply = await askInside({ method: 'GET', url: address.url, headers, ...by })
  if (!mayBeKept(reply) || !isOfItsVersion(address, reply)) return { reply }
  return { kept: keep(reply, { key, route: address.route }, begun) }
}

/** What is there is better than an excuse, and worse than any other answer. */
function better(outcome: Outcome, key: string, memory: Memory<Outcome>): Outcome {
  const old = memory.entries.find(key)
  if ('kept' in outcome || !old) return outcome
  if (failed(outcome.reply)) {
    old.excusedUntil = performance.now() + EXCUSED_MS
    return { kept: old }
  }
  // that one asks too often says nothing about what is there
  if (outcome.reply.status !== TOO_OFTEN) memory.entries.drop(key)
  return outcome
}

/**
 * Asks the shop itself for an address, as nobody: whatever is kept, no header of a visitor's could
 * have reached. One asks at a time for each; all others get the same. `leads` says who asks.
 */
export function rendererOf(askInside: AskInside, memory: Memory<Outcome>) {
  return (wanted: Wanted, by: By): { leads: boolean; answer: Promise<Outcome> } => {
    const { key } = wanted
    const under = memory.underWay(key)
    if (under) return { leads: false, answer: under.answer }
    const { promise: answer, resolve, reject } = Promise.withResolvers<Outcome>()
    const asked = memory.begin(answer)
    memory.asked.set(key, asked)
    ask(askInside, wanted, by)
      .then((outcome) => {
        if ('kept' in outcome) memory.store(outcome.kept, asked)
        resolve(better(outcome, key, memory))
      })
      .catch(reject)
      .finally(() => {
        if (memory.asked.get(key) === asked) memory.asked.delete(key)
      })
    return { leads: true, answer }
  }
}
