import { randomUUID } from 'node:crypto'
import type { RawRequestDefaultExpression } from 'fastify'

const HEADER = 'x-request-id'

/** Short, and without characters that are special in a log, page or terminal. */
const SAFE = /^[\w.-]{1,64}$/

/** The peer address of internal requests; no socket has it. */
export const INSIDE = 'inside'

/** Creates the id of a request: that of a trusted proxy or of the renderer, else a new one. */
export const requestIds =
  (isTrusted: (address: string | undefined) => boolean) =>
  ({ headers, socket }: RawRequestDefaultExpression): string => {
    const sent = headers[HEADER]
    const isOurs = socket.remoteAddress === INSIDE || isTrusted(socket.remoteAddress)
    return isOurs && typeof sent === 'string' && SAFE.test(sent) ? sent : randomUUID()
  }

/** Headers of an internal request: it has the id of its page, and is counted for its visitor. */
export const inside = (id: string, address: string) => ({
  headers: { [HEADER]: id, 'x-forwarded-for': address },
  remoteAddress: INSIDE,
})

/** The header that tells a client the id of its request. */
export const requestIdHeader = (id: string) => ({ [HEADER]: id })
