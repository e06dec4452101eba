import { setTimeout } from 'node:timers/promises'
import { accountEmailCalls } from '#app/accounts/contract.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { callerFrom } from './caller.ts'

const { path, limits } = accountEmailCalls.resetByLink
const [{ max }] = limits
/** Above the limit, by clients that try at once. */
const CLIENTS = 3
const TRIES = 1.5 * max
const PAUSE_MS = 100

/**
 * Tries a call with a limit by address, through the proxy and so on all shops: how many tries above the
 * limit were taken.
 */
export async function probeLimit(proxy: string, address: string): Promise<number> {
  const call = callerFrom(proxy, address)
  let tries = 0
  let taken = 0
  const client = async () => {
    while (tries < TRIES) {
      tries += 1
      const { status } = await call(API_PREFIX + path, { method: 'POST', body: '{}' })
      if (status === 400) taken += 1
      await setTimeout(PAUSE_MS)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return Math.max(0, taken - max)
}
