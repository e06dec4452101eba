/**
 * Writes gzip and brotli files next to the assets, those that are missing. Each is written whole, or not
 * at all: to a folder beside them, and moved from there.
 */
import { existsSync, globSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { BUILD, COMPRESSED } from './build-state.ts'

const CLIENT = join(BUILD, 'client/')
const WORTHWHILE_BYTES = 500

const BEST_QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }

const FORMS = {
  '.gz': (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
  '.br': (bytes: Buffer) => promisify(brotliCompress)(bytes, BEST_QUALITY),
}

/** The files that a run before this one left unfinished stay in its folder, which the next build removes. */
const unfinished = await mkdtemp(join(CLIENT, '.unfinished-'))

async function write(path: string, bytes: Buffer | string) {
  const there = join(unfinished, path.slice(CLIENT.length).replaceAll(/[/\\]/g, '-'))
  await writeFile(there, bytes)
  await rename(there, path)
}

async function compress(path: string) {
  const missing = Object.entries(FORMS).filter(([ending]) => !existsSync(path + ending))
  if (missing.length === 0) return
  const bytes = await readFile(path)
  await Promise.all(
    missing.map(async ([ending, zip]) => write(`${path}${ending}`, await zip(bytes))),
  )
}

const files = globSync('**/*.{js,css,svg,json,txt,webmanifest}', { cwd: CLIENT })
  .map((name) => CLIENT + name)
  .filter((path) => statSync(path).size >= WORTHWHILE_BYTES)
await Promise.all(files.map(compress))
await write(COMPRESSED, '')
await rm(unfinished, { recursive: true })
