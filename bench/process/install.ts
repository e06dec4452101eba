import { globSync, realpathSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

type Locked = Record<string, { dev?: boolean; devOptional?: boolean }>

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

/** What `npm install --omit=dev` puts on this machine: what the lockfile names and is there. */
export async function measureInstall(): Promise<Install> {
  const { packages }: { packages: Locked } = JSON.parse(
    await readFile(join(ROOT, 'package-lock.json'), 'utf8'),
  )
  const sizes: [name: string, bytes: number][] = []
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    const isOurs = path === '' || dev || devOptional
    const isThere = !isOurs && globSync(path, { cwd: ROOT }).length > 0
    if (isThere)
      sizes.push([
        path.split('node_modules/').at(-1) ?? '',
        await sizeOf(realpathSync(join(ROOT, path))),
      ])
  }
  const largest = sizes.toSorted(([, a], [, b]) => b - a).slice(0, 5)
  return {
    packages: sizes.length,
    megabytes: inMegabytes(sizes.reduce((sum, [, bytes]) => sum + bytes, 0)),
    largest: largest.map(([name, bytes]) => [name, inMegabytes(bytes)]),
  }
}
