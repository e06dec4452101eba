/** Writes the compressed forms of what the browser gets, next to each file, once per build. */
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const CLIENT = fileURLToPath(new URL('../build/client/', import.meta.url))
const WORTHWHILE_BYTES = 500

const brotli = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })

for (const name of globSync('**/*.{js,css,svg,json,txt,webmanifest}', { cwd: CLIENT })) {
  const path = CLIENT + name
  if (statSync(path).size < WORTHWHILE_BYTES) continue
  const bytes = readFileSync(path)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(`${path}.br`, brotli(bytes))
}
