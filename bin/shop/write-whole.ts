import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes beside the file and renames at the end: what is there under its name is whole. Throws a
 * sentence where there is no folder for it.
 */
export async function writeWhole(file: string, write: (partial: string) => Promise<unknown>) {
  const folder = dirname(file)
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder} to write to.`)
  const partial = `${file}.partial`
  // what a killed command left, or somebody else put there, keeps its permissions
  await rm(partial, { force: true })
  try {
    await write(partial)
    await rename(partial, file)
  } finally {
    await rm(partial, { force: true })
  }
}
