/** The test of the public address: whether this shop answers there. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { Type } from 'typebox'
import { connectionCalls } from '#app/settings/connection-contract.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { type Finding, ok, problem, reason } from '#app/shared/server/doctor/finding.ts'
import type { Log } from '#app/shared/server/domain-module.ts'
import { fits } from '#app/shared/server/input/validation.ts'
import { sharedSecret } from '#app/shared/server/secret-store.ts'
import type { Database } from '#db/schema.ts'

/** When the test of an address fails, which is never earlier. */
const TIMEOUT_MS = 5000
/** A longer answer is not this shop's. */
const MAX_BYTES = 1000

/** All processes of the shop sign alike, and no other shop does. */
export const prove = async (db: Database, challenge: string): Promise<string> =>
  createHmac('sha256', await sharedSecret(db, 'address_secret'))
    .update(challenge)
    .digest('hex')

const isProof = fits(Type.Object({ proof: Type.String() }))

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** The answer's JSON; null when it is none, or too long. */
async function jsonOf({ body }: Response): Promise<unknown> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_BYTES) return null
  }
  try {
    return JSON.parse(text)
  } catch {
    // another server's page
    return null
  }
}

/** Failures that say nothing about a machine, by the code of the network's error. */
const CAUSES: Record<string, string> = {
  ENOTFOUND: 'there is no server of this name: the domain does not lead anywhere yet',
  EAI_AGAIN: 'the name cannot be looked up now',
}

const ABOUT = 'Public address'
const SET_DOMAIN =
  'Enter the address that customers see in the browser, not one that redirects to it. The domain has to lead to the reverse proxy of this machine, which needs a valid certificate. The log of the shop says more; docs/operations.md describes the proxy.'

/** An answer, or a failure, that is not the proof. */
type Miss = { status?: number; code?: string; error?: string }

/** Null when this shop answers. Follows no redirect. */
async function requestProof(
  db: Database,
  address: string,
  signal: AbortSignal,
): Promise<Miss | null> {
  const challenge = randomBytes(16).toString('hex')
  const path = connectionCalls.proveAddress.path.replace(':challenge', challenge)
  // what answers may be a stranger: its bytes are not decompressed
  const headers = { 'accept-encoding': 'identity' }
  try {
    const url = `${address}${API_PREFIX}${path}`
    const answer = await fetch(url, { headers, redirect: 'manual', signal })
    const given = await jsonOf(answer)
    const isProven = isProof(given) && isSame(given.proof, await prove(db, challenge))
    return isProven ? null : { status: answer.status }
  } catch (error) {
    const { cause }: { cause?: unknown } = Object(error)
    return { code: String(Object(cause).code ?? ''), error: reason(cause ?? error) }
  }
}

/**
 * Requests a signed answer from the address. All failures but those of the name have one text and take one time:
 * an admin's password must not show which ports of the network answer. The log has the cause.
 */
export async function examineAddress(
  db: Database,
  { address, log }: { address: string | undefined; log: Log },
): Promise<Finding> {
  if (!address) return problem(ABOUT, 'none is set', 'Enter the address of the shop.')
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const miss = await requestProof(db, address, signal)
  if (!miss) return ok(ABOUT, `this shop answers at ${address}`)
  log.warn({ address, ...miss }, 'this shop does not answer at its public address')
  const cause = CAUSES[miss.code ?? '']
  if (cause) return problem(ABOUT, `${address}: ${cause}`, SET_DOMAIN)
  if (!signal.aborted) await once(signal, 'abort')
  return problem(ABOUT, `this shop does not answer at ${address}`, SET_DOMAIN)
}
