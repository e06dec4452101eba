import { randomBytes } from 'node:crypto'
import type { RawRequestDefaultExpression } from 'fastify'

const HEADER = 'x-request-id'

/** Short, and of characters that mean nothing to any log, page or terminal. */
const SAFE = /^[\w.-]{1,64}$/

/** The peer of a call that the renderer makes inside this process: no socket has this address. */
export const INSIDE = 'inside'

const ID_LENGTH = 16
const AT_ONCE = 512
let ids = ''
let used = 0

/** What nothing was known by before; random bytes are cheap by the hundred. */
export function newRequestId(): string {
  if (used === ids.length) {
    ids = randomBytes((AT_ONCE * ID_LENGTH) / 2).toString('hex')
    used = 0
  }
  used += ID_LENGTH
  return ids.slice(used - ID_LENGTH, used)
}

/**
 * Makes the id by which a request is known in logs, failures and traces: the one that a trusted
 * proxy or our own renderer sends, else a new one.
 */
export const requestIds =
  (isTrusted: (address: string | undefined) => boolean) =>
  ({ headers, socket }: RawRequestDefaultExpression): string => {
    const sent = headers[HEADER]
    const from = socket.remoteAddress
    const isOurs = from === INSIDE || isTrusted(from)
    if (isOurs && typeof sent === 'string' && SAFE.test(sent)) return sent
    return newRequestId()
  }

/**
 * What a call inside this process carries, so that it is known by the id of its page, and counted
 * as its visitor's.
 */
export const inside = (id: string, address: string) => ({
  headers: { [HEADER]: id, 'x-forwarded-for': address },
  remoteAddress: INSIDE,
})

/** The header that tells a client the id of its request. */
export const requestIdHeader = (id: string) => ({ [HEADER]: id })
