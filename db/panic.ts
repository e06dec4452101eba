import type { PGlite } from '@electric-sql/pglite'

/** What PostgreSQL calls a server that has crashed (SQLSTATE). */
const CRASHED = '57P02'

const isPanic = (error: unknown): error is Error =>
  error instanceof Error && 'severity' in error && error.severity === 'PANIC'

const ERROR_RESPONSE = 'E'.charCodeAt(0)

/** The message of a PANIC among PostgreSQL's replies: each is a letter, its length, and its fields. */
function panicIn(replies: Uint8Array): Error | undefined {
  const bytes = Buffer.from(replies.buffer, replies.byteOffset, replies.byteLength)
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    if (bytes[at] !== ERROR_RESPONSE) continue
    const fields = bytes.toString('utf8', at + 5, at + 1 + bytes.readUInt32BE(at + 1)).split('\0')
    if (fields.includes('VPANIC'))
      return new Error(fields.find((field) => field.startsWith('M'))?.slice(1))
  }
  return undefined
}

/**
 * PostgreSQL ends itself (PANIC) when it cannot write its log, because the disk is full or broken.
 * On a server it starts anew; embedded it is gone, and asked once more it would keep this process
 * busy for ever. So it is not asked: every statement fails at once, and `tell` hears why. Both ways
 * to it are watched: the shop's statements, and those of the owner's socket.
 */
export function hearPanic(
  pglite: Pick<PGlite, 'execProtocolStream' | 'execProtocolRaw'>,
  tell: (error: Error) => void,
): { isGone: () => boolean } {
  let gone: Error | undefined
  const end = (cause: Error) => {
    const sentence = `The embedded database has ended itself: ${cause.message}`
    gone = Object.assign(new Error(sentence, { cause }), { code: CRASHED })
    tell(gone)
    return gone
  }
  const ask = pglite.execProtocolStream.bind(pglite)
  pglite.execProtocolStream = async (message, options) => {
    if (gone) throw gone
    try {
      return await ask(message, options)
    } catch (error) {
      throw isPanic(error) ? end(error) : error
    }
  }
  const askRaw = pglite.execProtocolRaw.bind(pglite)
  pglite.execProtocolRaw = async (message, options) => {
    if (gone) throw gone
    const replies = await askRaw(message, options)
    const panic = panicIn(replies)
    if (panic) throw end(panic)
    return replies
  }
  return { isGone: () => gone !== undefined }
}
