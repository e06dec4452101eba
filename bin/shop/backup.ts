import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { announceParked } from '#app/emails/server/doctor.ts'
import { restoreEmbedded } from '#db/embedded.ts'
import { hasShop, migrate } from '#db/migrate.ts'
import { moveToPostgres } from '#db/move-to-postgres.ts'
import { markRestore, RESTORE_MARK, unmarkRestore } from '#db/restored.ts'
import { readConfig } from '#server/config.ts'
import { ConfigSchema } from '#server/config-schema.ts'
import { onDatabase, requireFile, writeAnswer, writeWhole } from './run.ts'

const NOT_THE_SHOPS = ['--no-owner', '--no-privileges', '--no-comments']
/** Sessions that ended after the backup, and links that were used, must not become valid again. */
const NO_SESSIONS = ['sessions', 'account_tokens'].map((table) => `--exclude-table-data=${table}`)
/** A copy that no shop has opened yet still has the mark. A restore makes its own. */
const NO_MARK = `--exclude-table=*.${RESTORE_MARK}`
const ALL_OR_NOTHING = ['--exit-on-error', '--single-transaction']

/** The environment without the settings of the shop, which contain secrets. */
const withoutSettings = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !Object.hasOwn(ConfigSchema.properties, name)),
  )

/**
 * Runs a PostgreSQL program on the database. The password is passed in the environment, because
 * other users can read arguments.
 */
async function runTool(tool: 'pg_dump' | 'pg_restore', databaseUrl: string, args: string[]) {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  const running = spawn(tool, [`--dbname=${url.href}`, ...args], {
    env: { ...withoutSettings(), ...(password && { PGPASSWORD: password }) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(running, 'close').catch((error) => {
    if (error.code !== 'ENOENT') throw error
    throw new Error(
      `${tool} is not installed here. Install PostgreSQL's client programs (on Debian the package postgresql-client), of the server's version or newer.`,
    )
  })
  if (code !== 0) throw new Error(`${tool} has failed.`)
}

/** The settings. Refuses PgBouncer: pg_dump and pg_restore change a connection that the shop uses next. */
function readDirectConfig() {
  const config = readConfig()
  if (config.DATABASE_URL && config.PGBOUNCER)
    throw new Error(
      'For this command set DATABASE_URL to PostgreSQL itself, and PGBOUNCER to nothing: it changes its connection, which PgBouncer would give to the shop next.',
    )
  return config
}

async function backup(file: string) {
  const { DATABASE_URL: databaseUrl } = readDirectConfig()
  if (databaseUrl) {
    const dump = ['--format=custom', NO_MARK, ...NO_SESSIONS, ...NOT_THE_SHOPS]
    await writeWhole(file, (partial) =>
      runTool('pg_dump', databaseUrl, [...dump, `--file=${partial}`]),
    )
  } else await writeAnswer(file, 'backup', {})
  if (file === '-') return
  const megabytes = (await stat(file)).size / 2 ** 20
  console.log(`The backup is in ${file} (${megabytes.toFixed(1)} MB).`)
}

/** Restores into an empty database on a server. */
const restoreOnServer = (databaseUrl: string, file: string) =>
  onDatabase({ databaseUrl, dataDir: '' }, async (db) => {
    if (await hasShop(db))
      throw new Error(
        'The database at DATABASE_URL already contains a shop. Create an empty one, and set DATABASE_URL to it.',
      )
    await markRestore(db)
    const how = [...ALL_OR_NOTHING, ...NOT_THE_SHOPS, file]
    await runTool('pg_restore', databaseUrl, how).catch(async (error) => {
      await unmarkRestore(db)
      throw error
    })
  })

async function restore(file: string) {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = readDirectConfig()
  await requireFile(file)
  if (databaseUrl) await restoreOnServer(databaseUrl, file)
  else await restoreEmbedded(dataDir, file)
  const lines = await onDatabase({ databaseUrl, dataDir }, async (db) => {
    // parks the e-mails that are queued in it
    await migrate(db)
    return announceParked(db)
  })
  console.log(['The backup is restored. All users have to log in again.', ...lines].join('\n'))
}

async function move() {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = readDirectConfig()
  if (!databaseUrl) throw new Error('Set DATABASE_URL to an empty PostgreSQL database first.')
  await moveToPostgres(dataDir, databaseUrl)
  console.log(`The data in ${dataDir} was copied to PostgreSQL. Start the shop.`)
}

export function addBackupCommands(program: Command) {
  program
    .command('backup')
    .description('write the whole shop, photos included, to one file, while it is running')
    .argument('<file>', 'the file')
    .action(backup)
  program
    .command('restore')
    .description('restore a backup where there is no shop yet: in an empty DATA_DIR or database')
    .argument('<file>', 'the file')
    .action(restore)
  program
    .command('move-to-postgres')
    .description('copy the embedded database of a stopped shop to the empty one at DATABASE_URL')
    .action(move)
}
