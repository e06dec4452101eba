/** The checkout whose shop is measured: this one, or an older one for comparison. */
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const THIS_CHECKOUT = resolve(fileURLToPath(new URL('..', import.meta.url)))

export const commitOf = (checkout: string) =>
  execFileSync('git', ['-C', checkout, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()

/** Imports a module of a checkout. Older ones need the exports that the benchmark uses. */
export const importFrom = (checkout: string, path: string) =>
  import(pathToFileURL(join(checkout, path)).href)
