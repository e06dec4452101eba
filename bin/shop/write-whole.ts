import { rename, rm } from 'node:fs/promises'

/** Writes beside the file and renames at the end: what is there under its name is whole. */
export async function writeWhole(file: string, write: (partial: string) => Promise<unknown>) {
  const partial = `${file}.partial`
  try {
    await write(partial)
    await rename(partial, file)
  } finally {
    await rm(partial, { force: true })
  }
}
