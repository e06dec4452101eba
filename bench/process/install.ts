import { existsSync, globSync, realpathSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

type Names = Record<string, string>
type Package = {
  dependencies?: Names
  optionalDependencies?: Names
  peerDependencies?: Names
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}
/** A lockfile entry, by its path; '' is the root. */
type Locked = Record<string, Package>

const namesIn = (found: Package) => [
  ...Object.keys({ ...found.dependencies, ...found.optionalDependencies }),
  ...Object.keys(found.peerDependencies ?? {}).filter(
    (name) => !found.peerDependenciesMeta?.[name]?.optional,
  ),
]

/**
 * The path of a dependency, by Node's resolution: in the package's own folder first, then in the
 * parents.
 */
function placeOf(locked: Locked, from: string, name: string): string | undefined {
  const place = `${from && `${from}/`}node_modules/${name}`
  if (Object.hasOwn(locked, place)) return place
  const outside = from.lastIndexOf('/node_modules/')
  if (from === '') return undefined
  return placeOf(locked, outside < 0 ? '' : from.slice(0, outside), name)
}

/** The paths of all runtime dependencies. */
export function neededIn(locked: Locked): string[] {
  const needed = new Set([''])
  for (const from of needed) {
    for (const name of namesIn(locked[from] ?? {})) {
      const place = placeOf(locked, from, name)
      if (place) needed.add(place)
    }
  }
  needed.delete('')
  return [...needed]
}

/** The bytes of a package without its nested packages. */
async function sizeOf(folder: string): Promise<number> {
  const files = globSync('**/*', { cwd: folder, exclude: ['node_modules'], withFileTypes: true })
  const sizes = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

export type Install = {
  packages: number
  megabytes: number
  largest: [name: string, megabytes: number][]
}

const inMegabytes = (bytes: number) => Math.round(bytes / 2 ** 20)

/** The size of `npm install --omit=dev` on this machine: the installed entries of the lockfile. */
export async function measureInstall(): Promise<Install> {
  const { packages }: { packages: Locked } = JSON.parse(
    await readFile(join(ROOT, 'package-lock.json'), 'utf8'),
  )
  const sizes: [name: string, bytes: number][] = []
  for (const place of neededIn(packages)) {
    const folder = join(ROOT, place)
    // packages for other systems are not installed
    if (existsSync(folder))
      sizes.push([place.split('node_modules/').at(-1) ?? '', await sizeOf(realpathSync(folder))])
  }
  const largest = sizes.toSorted(([, a], [, b]) => b - a).slice(0, 5)
  return {
    packages: sizes.length,
    megabytes: inMegabytes(sizes.reduce((sum, [, bytes]) => sum + bytes, 0)),
    largest: largest.map(([name, bytes]) => [name, inMegabytes(bytes)]),
  }
}
