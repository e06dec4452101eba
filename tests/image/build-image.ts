/**
 * Builds the image of the Dockerfile on a machine that reaches no registry of images: its base is a
 * Debian made by debootstrap, its builder the same with the Node of this checkout and the npm of this
 * machine, whose settings, certificates and cache the build uses.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** A base takes more than a minute, so it is kept. */
const BASE_FOLDER = join(ROOT, 'node_modules/.cache/bookworm')
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
/** Without the programs of the packages here, so that npm is that of the machine, with its settings. */
const FOLDERS = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))

/** Names of images in the storage of a test. */
export const BASE = 'localhost/haat-base'
const BUILDER = 'localhost/haat-builder'
export const IMAGE = 'localhost/haat'

const findProgram = (name: string) =>
  FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path))

/** Runs a program, and returns its output. What it says of its progress is shown if it fails. */
export const run = (program: string, words: string[]) =>
  execFileSync(program, words, {
    cwd: ROOT,
    env: { ...process.env, PATH: FOLDERS.join(delimiter) },
    encoding: 'utf8',
    stdio: 'pipe',
    maxBuffer: 1e9,
  }).trim()

/** Podman and Buildah with a storage of their own in a folder. */
export function openStorage(folder: string) {
  const place = ['--storage-driver', 'vfs', '--root', join(folder, 'storage')]
  const own = [...place, '--runroot', join(folder, 'run')]
  return {
    podman: (...words: string[]) => run('podman', [...own, '--runtime', 'runc', ...words]),
    buildah: (...words: string[]) => run('buildah', [...own, ...words]),
  }
}

export type Storage = ReturnType<typeof openStorage>

function makeBase(): string {
  if (!existsSync(BASE_FOLDER)) {
    const unfinished = `${BASE_FOLDER}.partial`
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(dirname(unfinished), { recursive: true })
    run('debootstrap', ['--variant=minbase', 'bookworm', unfinished])
    rmSync(join(unfinished, 'var/cache/apt'), { recursive: true })
    rmSync(join(unfinished, 'var/lib/apt/lists'), { recursive: true })
    renameSync(unfinished, BASE_FOLDER)
  }
  return BASE_FOLDER
}

/** An image with these files on top of another. */
function addFiles(
  { buildah }: Storage,
  from: string,
  to: string,
  files: [from: string, to: string][],
) {
  const container = buildah('from', '--pull-never', from)
  for (const [source, target] of files) buildah('copy', container, source, target)
  buildah('commit', '--rm', container, to)
}

/** The settings, certificates and cache of npm here, at the places where the builder's npm looks for them. */
function npmVolumes(): string[] {
  const setting = (name: string) => run('npm', ['config', 'get', name])
  const volumes = [
    [setting('globalconfig'), '/usr/local/etc/npmrc'],
    [setting('userconfig'), '/root/.npmrc'],
    [setting('cache'), '/root/.npm'],
    [CERTIFICATES, CERTIFICATES],
  ]
  return volumes
    .filter(([from = '']) => existsSync(from))
    .flatMap(([from, to]) => ['--volume', `${from}:${to}`])
}

/** Builds base, builder and image. */
export function buildImage(storage: Storage): void {
  const { buildah } = storage
  addFiles(storage, 'scratch', BASE, [[makeBase(), '/']])
  // npm/bin/npm-cli.js
  const npm = dirname(dirname(realpathSync(findProgram('npm') ?? '')))
  addFiles(storage, BASE, BUILDER, [
    [process.execPath, '/usr/local/bin/node'],
    [npm, '/usr/local/lib/node_modules/npm'],
    [join(ROOT, 'tests/image/npm'), '/usr/local/bin/npm'],
  ])
  const bases = ['--build-arg', `BASE=${BASE}`, '--build-arg', `BUILDER=${BUILDER}`]
  const how = ['--isolation', 'chroot', '--format', 'docker', '--pull-never']
  buildah('bud', ...how, ...bases, ...npmVolumes(), '--tag', IMAGE, ROOT)
}
