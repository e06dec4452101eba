import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const existing = (file: string) =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })

/**
 * The secret stored in `folder`. The first call creates it, readable by its owner only: it is
 * written to a temporary file and then linked, so that of several processes one wins and none reads
 * half a secret.
 */
export async function readOrCreateSecret(folder: string): Promise<string> {
  const file = join(folder, 'sandbox-secret')
  const stored = await existing(file)
  if (stored) return stored
  await mkdir(folder, { recursive: true })
  const draft = `${file}-${randomUUID()}`
  await writeFile(draft, randomBytes(32).toString('hex'), { mode: 0o600, flush: true })
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  return readFile(file, 'utf8')
}
