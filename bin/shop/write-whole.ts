import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Writes to a temporary file and renames it at the end, so that the file is always complete. Throws
 * a user-readable message when its folder does not exist.
 */
export async function writeWhole(file: string, write: (partial: string) => Promise<unknown>) {
  const folder = dirname(file)
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder} to write to.`)
  const partial = `${file}.partial`
  // an existing file would keep its permissions
  await rm(partial, { force: true })
  try {
    await write(partial)
    await rename(partial, file)
  } finally {
    await rm(partial, { force: true })
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
