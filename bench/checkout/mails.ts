/** The e-mails of a shop that sells in the benchmark, and the server that takes them. */
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { openDatabase } from '#db/connect.ts'

/** Opens an SMTP server that accepts every e-mail and forgets it. */
export async function openSink() {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      stream.on('end', () => done()).resume()
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, close: () => server.close() }
}

const PATIENCE_MS = 5000
const LOOK_MS = 100

/** Opens the outbox of a shop. */
export async function openMails(databaseUrl: string) {
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '' })
  /** The numbers of e-mails that wait, and that the server has taken. */
  async function count() {
    const { rows } = await sql<{ waiting: number; sent: number }>`
      select count(*) filter (where state = 'queued')::integer as waiting,
        count(*) filter (where state = 'sent')::integer as sent from emails`.execute(db)
    return rows[0] ?? { waiting: 0, sent: 0 }
  }
  /** Waits until no e-mail waits. After some seconds those left are deleted, so that no other side meets their work. */
  async function finish() {
    const patience = AbortSignal.timeout(PATIENCE_MS)
    while ((await count()).waiting > 0 && !patience.aborted) await sleep(LOOK_MS)
    await sql`delete from emails where state = 'queued'`.execute(db)
  }
  return { count, finish, close }
}
