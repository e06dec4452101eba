import { exportsOf } from '../exports-of.ts'
import type { AuditedCalls } from './audited-call.ts'

const lists = await exportsOf<AuditedCalls>(new URL('.', import.meta.url))

/** The calls of all files of this folder. */
export const auditedCalls: AuditedCalls = (callers) =>
  Object.fromEntries(lists.flatMap((list) => Object.entries(list(callers))))
