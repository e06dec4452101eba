import { exportsOf } from '../exports-of.ts'
import type { AdminCall } from './admin-call.ts'

/** Every call of the back office, with the page and the steps that make it: the lists of all files of this folder. */
export const ADMIN_CALLS = (await exportsOf<AdminCall[]>(new URL('.', import.meta.url))).flat()
