import { Readable } from 'node:stream'
import { openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import type { Config } from '../config.ts'
import { type CommandName, type CommandOptions, startCommand } from './commands.ts'
import { callShop, isShopOpen } from './socket.ts'

/** Commands that run without migrations, also on the database of an older version. */
const WITHOUT_MIGRATION: CommandName[] = ['examineDatabase', 'backup']

/**
 * Runs an owner's command on the database of these settings, and resolves with its output: in this
 * process, or in a running shop that has the embedded database open. Throws a user-readable message
 * when the command fails, also while the output is read.
 */
export async function runCommand<Name extends CommandName>(
  config: Config,
  name: Name,
  options: CommandOptions[Name],
  input = Readable.from([]),
): Promise<Readable> {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = config
  if (!databaseUrl && (await isShopOpen(dataDir))) return callShop(dataDir, name, options, input)
  async function* runHere() {
    const opened = await openDatabase({ databaseUrl, dataDir })
    try {
      if (!WITHOUT_MIGRATION.includes(name)) await migrate(opened.db)
      yield* startCommand(name, { opened, input }, options)
    } finally {
      await opened.close()
    }
  }
  return Readable.from(runHere())
}
