import { cp } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Files that a fresh clone does not have: created by npm, by a build, by a start or by tests. */
const NOT_CLONED = new Set([
  '.env',
  '.git',
  '.react-router',
  'build',
  'data',
  'node_modules',
  'playwright-report',
  'test-results',
])

/** Copies this checkout into a folder, as a fresh clone has it. */
export const copyCheckout = (folder: string): Promise<void> =>
  cp(ROOT, folder, { recursive: true, filter: (path) => !NOT_CLONED.has(relative(ROOT, path)) })
