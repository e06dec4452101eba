import { createHash } from 'node:crypto'
import { sql } from 'kysely'

const MARK = '/* prepared */'

/**
 * Marks a statement that is sent often and whose text never varies: each connection prepares it once,
 * under a name. Not for searches, whose best plan depends on their parameters.
 */
export const PREPARED = sql.raw(MARK)

const names = new Map<string, string>()

/** The name of a marked statement; undefined for any other. Equal texts have equal names. */
export function preparedName(text: string): string | undefined {
  if (!text.includes(MARK)) return undefined
  const known = names.get(text)
  if (known) return known
  const name = createHash('md5').update(text).digest('hex')
  names.set(text, name)
  return name
}

/**
 * Whether an error says that the connection goes through a pooler that knows no prepared statements: one
 * is unknown to the server (26000), or another client has prepared it there (42P05).
 */
export const isUnprepared = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['26000', '42P05'].includes(String(error.code))
