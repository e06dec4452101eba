/** The jobs that delete old e-mails, and the files of those that are deleted. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '#db/schema.ts'
import { deleteOldEmails, selectExisting } from '../store.ts'

const KEPT_DAYS = 90

const idOf = (file: string) => /^([\da-f-]{36})\.eml$/.exec(file)?.[1]

const filesIn = (folder: string) =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })

/** Deletes the files whose e-mail is deleted, such as those of a closed account. */
export async function removeStrayFiles(db: Database, folder: string): Promise<void> {
  const ids = (await filesIn(folder)).flatMap((file) => idOf(file) ?? [])
  if (ids.length === 0) return
  const existing = await selectExisting(db, ids)
  for (const id of ids) if (!existing.has(id)) await rm(join(folder, `${id}.eml`), { force: true })
}

/** Deletes e-mails after 90 days. Reads the whole table. */
export const deleteOld = (db: Database) => deleteOldEmails(db, KEPT_DAYS)
