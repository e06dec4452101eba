/** The folder `build`: whether it is newer than its sources, and whether its assets are compressed. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

export const BUILD: string = join(root, 'build')
const BUILT = join(BUILD, 'server/index.js')

/** Written when all assets are compressed; a build removes it with them. */
export const COMPRESSED: string = join(BUILD, 'client/.compressed')

/** React Router's command line, run without npm. A production install does not have it. */
export const ROUTER = join(root, 'node_modules/@react-router/dev/bin.cjs')

/** The sources of the build. `npm prune` writes package-lock.json again, which makes no build old. */
const FOLDERS = ['app', 'public']
const FILES = existsSync(ROUTER)
  ? ['package-lock.json', 'react-router.config.ts', 'vite.config.ts']
  : []

/** The files of the build and their folders: deleting a file changes only its folder. */
const sources = () =>
  [
    ...FILES,
    ...FOLDERS.flatMap((folder) => [
      folder,
      ...readdirSync(join(root, folder), { recursive: true }).map((name) =>
        join(folder, `${name}`),
      ),
    ]),
  ].map((path) => join(root, path))

const changedAt = (path: string) => statSync(path).mtimeMs

export const hasBuild = (): boolean => existsSync(BUILT)

export const isCompressed = (): boolean => existsSync(COMPRESSED)

/** Whether there is a build that is newer than each of its sources. */
export function isBuilt(): boolean {
  if (!hasBuild()) return false
  const built = changedAt(BUILT)
  return sources().every((path) => changedAt(path) <= built)
}
