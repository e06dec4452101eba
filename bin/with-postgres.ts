/**
 * `node bin/with-postgres.ts COMMAND …`: runs the command with DATABASE_URL of a temporary
 * PostgreSQL server. Ends with 1 where PostgreSQL is not installed.
 */
import { spawn } from 'node:child_process'
import { missingFor } from '#tests/support/needed-programs.ts'
import { startPostgres } from '#tests/support/postgres.ts'

const [, , command = '', ...words] = process.argv
const postgres = await startPostgres()
if (!postgres) {
  console.error(missingFor('postgres'))
  process.exitCode = 1
} else {
  const running = spawn('env', [`DATABASE_URL=${postgres.url}`, command, ...words], {
    stdio: 'inherit',
  })
  // a signal stops the server, too
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  process.exitCode = await new Promise<number>((resolve) => {
    running.once('exit', (code) => resolve(code ?? 1))
  })
  await postgres.stop()
}
