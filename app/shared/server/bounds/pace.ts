import type { IncomingMessage } from 'node:http'
import { readFirst } from './read-first.ts'

/** How many bytes must come in a time, in milliseconds, if not the end. */
export type Pace = { bytes: number; ms: number }

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Whether more would be taken if it came: nobody waits for a sender while he waits for us. */
const isAwaited = (request: IncomingMessage) =>
  request.readableFlowing !== null && request.readableLength === 0

/**
 * Gives a request up whose body comes too slowly, or not at all: silence is cut off, not size. It
 * may last as long as it keeps the pace; what waits unread is not its sender's fault, be it here or
 * where the system keeps it.
 */
export function requirePace(request: IncomingMessage, { bytes, ms }: Pace): void {
  if (!hasBody(request)) return
  let before = request.socket.bytesRead
  // a client that sends nothing at all is awaited, too, as soon as somebody reads
  let wasAwaited = true
  const judge = () => {
    if (request.complete) return clearInterval(clock)
    const now = request.socket.bytesRead
    const awaited = isAwaited(request)
    if (awaited && wasAwaited && now - before < bytes) request.destroy()
    before = now
    wasAwaited = awaited
  }
  const clock = setInterval(() => readFirst(judge), ms).unref()
  request.once('close', () => clearInterval(clock))
}
