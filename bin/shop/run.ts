import { constants, createWriteStream, existsSync } from 'node:fs'
import { access, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { openDatabase } from '#db/connect.ts'
import type { Database } from '#db/schema.ts'
import { readConfig } from '#server/config.ts'
import { writeError } from '#server/operation/output.ts'
import type { CommandName, CommandOptions } from '#server/owner/commands.ts'
import { runCommand } from '#server/owner/socket.ts'

/** Throws a user-readable message when the file does not exist or cannot be read. */
export async function requireFile(file: string): Promise<void> {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  await access(file, constants.R_OK).catch((cause) => {
    throw new Error(`This user may not read ${file}. Change its owner or its permissions.`, {
      cause,
    })
  })
}

/**
 * Writes to a temporary file and renames it at the end, so that the file is always complete. Throws
 * a user-readable message when its folder does not exist, or refuses the file.
 */
export async function writeWhole(file: string, write: (partial: string) => Promise<unknown>) {
  const folder = dirname(file)
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder} to write to.`)
  const partial = `${file}.partial`
  try {
    // an existing file would keep its permissions
    await rm(partial, { force: true })
    await write(partial)
    await rename(partial, file)
  } catch (error) {
    throw writeError(error, file)
  } finally {
    await rm(partial, { force: true }).catch((error) => {
      throw writeError(error, file)
    })
  }
}

/** Runs an owner's command and resolves with its output as text. */
export const answerTo = async <Name extends CommandName>(
  name: Name,
  options: CommandOptions[Name],
  input?: Readable,
): Promise<string> => text(await runCommand(readConfig(), name, options, input))

/** Writes the output of an owner's command to the file, or to the standard output for `-`. */
export async function writeAnswer<Name extends CommandName>(
  file: string,
  name: Name,
  options: CommandOptions[Name],
): Promise<void> {
  const run = () => runCommand(readConfig(), name, options)
  if (file === '-') await pipeline(await run(), process.stdout, { end: false })
  else await writeWhole(file, async (partial) => pipeline(await run(), createWriteStream(partial)))
}

/** Does some work on a database that no shop has open. */
export async function onDatabase<Result>(
  at: { databaseUrl: string | undefined; dataDir: string },
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { db, close } = await openDatabase(at)
  try {
    return await work(db)
  } finally {
    await close()
  }
}
