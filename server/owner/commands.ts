import type { Readable } from 'node:stream'
import { ownerCommands, personalData } from '#app/modules.ts'
import type { PersonalData } from '#app/shared/server/personal-data-store.ts'
import type { OpenDatabase } from '#db/connect.ts'
import type { Config } from '../config.ts'
import { examineOpenDatabase } from '../doctor/database.ts'

type CommandOutput = AsyncIterable<string | Uint8Array>
type Context = { opened: OpenDatabase; input: Readable }

/** Commands on the database itself; the domains' commands are in their modules. */
const databaseCommands = {
  async *examineDatabase({ opened }: Context, { config }: { config: Config }) {
    yield JSON.stringify(await examineOpenDatabase(config, opened.db))
  },
  async *backup({ opened }: Context, _options: object) {
    if (!opened.pglite) throw new Error('pg_dump backs up a database on a server.')
    const { dumpEmbedded } = await import('#db/embedded.ts')
    yield* await dumpEmbedded(opened.pglite)
  },
}

const commands = { ...ownerCommands, ...databaseCommands }

export type CommandName = keyof typeof commands

/** The options of each command, apart from its input. */
export type CommandOptions = {
  [Name in CommandName]: Parameters<(typeof commands)[Name]>[1]
}

const COMMANDS: {
  [Name in CommandName]: (
    context: Context & { db: OpenDatabase['db']; personalData: PersonalData },
    options: CommandOptions[Name],
  ) => CommandOutput
} = commands

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)

/** Runs an owner's command on an open database. Errors are thrown while its output is read. */
export const startCommand = <Name extends CommandName>(
  name: Name,
  { opened, input }: Context,
  options: CommandOptions[Name],
): CommandOutput => COMMANDS[name]({ db: opened.db, opened, input, personalData }, options)
