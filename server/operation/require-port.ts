import { once } from 'node:events'
import { createServer } from 'node:net'
import { reason } from '#app/shared/server/doctor/finding.ts'

/** The error of a port that cannot be listened on, as a sentence with the setting. */
export const listenError = (port: string, cause: unknown) =>
  new Error(`${port} cannot be listened on: ${reason(cause)}`, { cause })

/**
 * Listens on the port for a moment, so that a port that is taken ends the start before anything is
 * made. Throws a user-readable message.
 */
export async function requirePort({ PORT, HOST }: { PORT: number; HOST: string }): Promise<void> {
  const server = createServer()
  try {
    server.listen(PORT, HOST)
    await once(server, 'listening')
  } catch (error) {
    throw listenError(`PORT ${PORT} on HOST ${HOST}`, error)
  }
  server.close()
  await once(server, 'close')
}
