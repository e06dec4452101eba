import type { PGlite } from '@electric-sql/pglite'

/** What PostgreSQL calls a server that has crashed (SQLSTATE). */
const CRASHED = '57P02'

const isPanic = (error: unknown): error is Error =>
  error instanceof Error && 'severity' in error && error.severity === 'PANIC'

/**
 * PostgreSQL ends itself (PANIC) when it cannot write its log, because the disk is full or broken.
 * On a server it starts anew; embedded it is gone, and asked once more it would keep this process
 * busy for ever. So it is not asked: every statement fails at once, and `tell` hears why.
 */
export function hearPanic(
  pglite: Pick<PGlite, 'execProtocolStream'>,
  tell: (error: Error) => void,
): { isGone: () => boolean } {
  let gone: Error | undefined
  const ask = pglite.execProtocolStream.bind(pglite)
  pglite.execProtocolStream = async (message, options) => {
    if (gone) throw gone
    try {
      return await ask(message, options)
    } catch (error) {
      if (!isPanic(error)) throw error
      const sentence = `The embedded database has ended itself: ${error.message}`
      gone = Object.assign(new Error(sentence, { cause: error }), { code: CRASHED })
      tell(gone)
      throw gone
    }
  }
  return { isGone: () => gone !== undefined }
}
