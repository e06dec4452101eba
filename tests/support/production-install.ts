import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The files of the shop at run time beside its packages and its build, as in the Dockerfile. */
const SHOP = [
  'app',
  'bench/seed',
  'bin',
  'db',
  'demo',
  'public',
  'server',
  'package.json',
  'package-lock.json',
]

type Locked = { dev?: boolean }

const packagesIn = async (lockfile: string): Promise<Record<string, Locked>> =>
  JSON.parse(await readFile(join(ROOT, lockfile), 'utf8')).packages

/** The packages that `npm ci --omit=dev` installs on this platform, by their paths, with those inside them. */
async function productionPackages(): Promise<string[]> {
  const installed = await packagesIn('node_modules/.package-lock.json')
  return Object.entries(await packagesIn('package-lock.json'))
    .filter(([path, { dev }]) => !dev && path in installed)
    .map(([path]) => path)
    .filter((path) => path.lastIndexOf('node_modules/') === 0)
}

/** Copies a folder: by hard links where the file system can. */
function copyFolder(from: string, to: string) {
  const copy = (how: string) =>
    execFileSync('cp', ['--recursive', '--no-target-directory', how, from, to], { stdio: 'pipe' })
  try {
    copy('--link')
  } catch {
    copy('--force')
  }
}

/**
 * Makes a folder as it is after `npm ci --omit=dev`: the shop without tests, benchmarks and build, with
 * the packages of production only. It asks no registry: the packages are those of this checkout.
 */
export async function installProduction(folder: string): Promise<void> {
  for (const name of SHOP) await cp(join(ROOT, name), join(folder, name), { recursive: true })
  for (const path of await productionPackages()) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    copyFolder(join(ROOT, path), join(folder, path))
  }
  const programs = join(folder, 'node_modules/.bin')
  await mkdir(programs)
  await symlink(relative(join(ROOT, 'node_modules/.bin'), process.execPath), join(programs, 'node'))
}

/** Copies the build of this checkout. */
export const copyBuild = (folder: string) =>
  cp(join(ROOT, 'build'), join(folder, 'build'), { recursive: true })
