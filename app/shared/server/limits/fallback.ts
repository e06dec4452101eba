import type { FastifyBaseLogger } from 'fastify'
import type { Tally } from './tally.ts'

/** After a failure nobody else waits for it for a while. */
const REST_MS = 5000

/** Logs that what others count with, too, is gone and that it is back, each once. */
export function teller(log: FastifyBaseLogger, name: string) {
  let isDown = false
  return (error: unknown) => {
    if (error && !isDown) {
      log.warn({ err: error }, `${name} does not answer: limits are counted here alone`)
    }
    if (!error && isDown) log.info(`${name} answers again: limits are counted there`)
    isDown = Boolean(error)
  }
}

/** Asks the first while it answers, and the second meanwhile; `tell` hears how each try went. */
export function withFallback(first: Tally, second: Tally, tell: (error: unknown) => void): Tally {
  let restsUntil = 0
  const ask = async <Result>(work: (tally: Tally) => Promise<Result>): Promise<Result> => {
    if (Date.now() < restsUntil) return work(second)
    try {
      const result = await work(first)
      tell(null)
      return result
    } catch (error) {
      restsUntil = Date.now() + REST_MS
      tell(error)
      return work(second)
    }
  }
  return {
    add: (key, by, seconds) => ask((tally) => tally.add(key, by, seconds)),
    forget: (key) => ask((tally) => tally.forget(key)),
  }
}
