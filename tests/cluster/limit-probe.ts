import { setTimeout } from 'node:timers/promises'
import { accountEmailCalls } from '#app/accounts/email-contract.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { callerFrom } from './caller.ts'

const { path, limits } = accountEmailCalls.resetByLink
const [{ most }] = limits
const TRIES = 2 * most
const PAUSE_MS = 100

/**
 * Tries a call with a limit by address again and again, through the proxy and so on all shops, until it
 * is stopped; then it answers how many tries above the limit were taken.
 */
export function startProbe(proxy: string, address: string) {
  const call = callerFrom(proxy, address)
  let isStopped = false
  const probe = async () => {
    let taken = 0
    for (let tries = 0; tries < TRIES && !isStopped; tries += 1) {
      const { status } = await call(API_PREFIX + path, { method: 'POST', body: '{}' })
      if (status === 400) taken += 1
      await setTimeout(PAUSE_MS)
    }
    return Math.max(0, taken - most)
  }
  const probing = probe()
  return {
    stop: () => {
      isStopped = true
      return probing
    },
  }
}
