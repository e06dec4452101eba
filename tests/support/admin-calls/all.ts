import { readdirSync } from 'node:fs'
import type { AdminCall } from './admin-call.ts'

const folder = new URL('.', import.meta.url)
const files = readdirSync(folder).filter((name) => !['all.ts', 'admin-call.ts'].includes(name))
const lists: Record<string, AdminCall[]>[] = await Promise.all(
  files.map((name) => import(new URL(name, folder).href)),
)

/** Every call of the back office, with the page and the steps that make it: the lists of all files of this folder. */
export const ADMIN_CALLS: AdminCall[] = lists.flatMap(Object.values).flat()
