import { randomUUID } from 'node:crypto'
import type { RawRequestDefaultExpression } from 'fastify'

const HEADER = 'x-request-id'

/** Short, and of characters that mean nothing to any log, page or terminal. */
const SAFE = /^[\w.-]{1,64}$/

/** The peer of a call that the renderer makes inside this process: no socket has this address. */
export const INSIDE = 'inside'

/** Makes the id of a request: the one that a trusted proxy or our own renderer sends, else a new one. */
export const requestIds =
  (isTrusted: (address: string | undefined) => boolean) =>
  ({ headers, socket }: RawRequestDefaultExpression): string => {
    const sent = headers[HEADER]
    const isOurs = socket.remoteAddress === INSIDE || isTrusted(socket.remoteAddress)
    return isOurs && typeof sent === 'string' && SAFE.test(sent) ? sent : randomUUID()
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
