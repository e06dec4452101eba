/** The test of the public address: whether this shop answers there. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { connectionCalls } from '#app/settings/connection-contract.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { type Finding, ok, problem } from '#app/shared/server/doctor/finding.ts'
import { fits } from '#app/shared/server/input/validation.ts'
import { sharedSecret } from '#app/shared/server/secret-store.ts'
import type { Database } from '#db/schema.ts'

const TIMEOUT_MS = 10_000
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

/** By the code of the network's error. */
const CAUSES: Record<string, string> = {
  ENOTFOUND: 'there is no server of this name: the domain does not lead anywhere yet',
  EAI_AGAIN: 'the name cannot be looked up now',
  ECONNREFUSED: 'nothing answers there',
  ETIMEDOUT: 'nothing answers in time',
  UND_ERR_CONNECT_TIMEOUT: 'nothing answers in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is of another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'browsers do not trust its certificate',
}

const causeOf = (error: unknown) => {
  const { name = '', cause }: { name?: string; cause?: unknown } = Object(error)
  if (name === 'TimeoutError') return 'nothing answers in time'
  return CAUSES[String(Object(cause).code)] ?? 'the connection breaks'
}

const ABOUT = 'Public address'
const SET_DOMAIN =
  'Let the domain lead to the reverse proxy of this machine, which has a certificate. docs/operations.md describes it.'

/**
 * Requests a signed answer from the address. Follows no redirect and repeats nothing of another server's
 * answer: an address inside the network must not become readable.
 */
export async function examineAddress(db: Database, address: string | undefined): Promise<Finding> {
  if (!address) return problem(ABOUT, 'none is set', 'Enter the address of the shop.')
  const challenge = randomBytes(16).toString('hex')
  const path = connectionCalls.proveAddress.path.replace(':challenge', challenge)
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    // what answers may be a stranger: its bytes are not decompressed
    const headers = { 'accept-encoding': 'identity' }
    const answer = await fetch(`${address}${API_PREFIX}${path}`, {
      headers,
      redirect: 'manual',
      signal,
    })
    if (answer.status >= 300 && answer.status < 400)
      return problem(
        ABOUT,
        `${address} leads to another address`,
        'Enter the address to which it leads: the one that customers see.',
      )
    const given = await jsonOf(answer)
    if (isProof(given) && isSame(given.proof, await prove(db, challenge)))
      return ok(ABOUT, `this shop answers at ${address}`)
    return problem(ABOUT, `something answers at ${address}, but not this shop`, SET_DOMAIN)
  } catch (error) {
    return problem(ABOUT, `${address}: ${causeOf(error)}`, SET_DOMAIN)
  }
}
