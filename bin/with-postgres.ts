/**
 * `node bin/with-postgres.ts COMMAND …`: runs the command with DATABASE_URL of a temporary
 * PostgreSQL server.
 */
import { spawn } from 'node:child_process'
import { startPostgres } from '#tests/support/postgres.ts'

const [, , command = '', ...words] = process.argv
const postgres = await startPostgres()
if (!postgres) {
  console.log(
    `The PostgreSQL runs were skipped: PostgreSQL is not installed here. (${[command, ...words].join(' ')})`,
  )
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
