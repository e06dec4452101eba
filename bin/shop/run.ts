import { constants, createWriteStream, existsSync } from 'node:fs'
import { access, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { writeError } from '#server/operation/output.ts'

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

/** Writes the output of a command to the file, or to the standard output for `-`. */
export async function writeOutput(file: string, run: () => Promise<Readable>): Promise<void> {
  if (file === '-') await pipeline(await run(), process.stdout, { end: false })
  else
    await writeWhole(file, async (partial) => {
      await pipeline(await run(), createWriteStream(partial))
    })
}
