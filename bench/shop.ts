/** The checkout whose shop is measured: this one, or an older one for comparison. */
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const THIS_CHECKOUT = resolve(fileURLToPath(new URL('..', import.meta.url)))

/** Imports a module of a checkout. Older ones need the exports that the benchmark uses. */
export const importFrom = (checkout: string, path: string) =>
  import(pathToFileURL(join(checkout, path)).href)
