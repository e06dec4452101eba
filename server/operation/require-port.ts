import { once } from 'node:events'
import { createServer } from 'node:net'

type At = { PORT: number; HOST: string }

/** The error of a port that cannot be listened on, as a sentence with the setting. */
export function portError({ PORT, HOST }: At, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error)
  return new Error(`PORT ${PORT} on HOST ${HOST} cannot be listened on: ${why}`, { cause: error })
}

/**
 * Listens on the port for a moment, so that a port that is taken ends the start before anything is
 * made. Throws a user-readable message.
 */
export async function requirePort(at: At): Promise<void> {
  const server = createServer()
  try {
    server.listen(at.PORT, at.HOST)
    await once(server, 'listening')
  } catch (error) {
    throw portError(at, error)
  }
  server.close()
  await once(server, 'close')
}
