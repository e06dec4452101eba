/** Writes gzip and brotli files next to the assets, once per build. */
import { globSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const CLIENT = fileURLToPath(new URL('../build/client/', import.meta.url))
const WORTHWHILE_BYTES = 500

const BEST_QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }

async function compress(path: string) {
  const bytes = await readFile(path)
  await Promise.all([
    promisify(gzip)(bytes, { level: 9 }).then((zipped) => writeFile(`${path}.gz`, zipped)),
    promisify(brotliCompress)(bytes, BEST_QUALITY).then((zipped) =>
      writeFile(`${path}.br`, zipped),
    ),
  ])
}

const files = globSync('**/*.{js,css,svg,json,txt,webmanifest}', { cwd: CLIENT })
  .map((name) => CLIENT + name)
  .filter((path) => statSync(path).size >= WORTHWHILE_BYTES)
await Promise.all(files.map(compress))
