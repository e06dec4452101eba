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
/** What the lockfile knows, by its place below the root, which is ''. */
type Locked = Record<string, Package>

const namesIn = (found: Package) => [
  ...Object.keys({ ...found.dependencies, ...found.optionalDependencies }),
  ...Object.keys(found.peerDependencies ?? {}).filter(
    (name) => !found.peerDependenciesMeta?.[name]?.optional,
  ),
]

/** Where a package finds another: as Node looks for it, inside itself first, then further out. */
function placeOf(locked: Locked, from: string, name: string): string | undefined {
  const place = `${from && `${from}/`}node_modules/${name}`
  if (Object.hasOwn(locked, place)) return place
  const outside = from.lastIndexOf('/node_modules/')
  if (from === '') return undefined
  return placeOf(locked, outside < 0 ? '' : from.slice(0, outside), name)
}

/** The places of all that a shop needs when it runs. */
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

/** How many bytes the files of a package have, without the packages inside it. */
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

/** What `npm install --omit=dev` puts on this machine: of what the lockfile names, what is there. */
export async function measureInstall(): Promise<Install> {
  const { packages }: { packages: Locked } = JSON.parse(
    await readFile(join(ROOT, 'package-lock.json'), 'utf8'),
  )
  const sizes: [name: string, bytes: number][] = []
  for (const place of neededIn(packages)) {
    const folder = join(ROOT, place)
    // of those for other systems, none is there
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
