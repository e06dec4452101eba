import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

const QUICKLY = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export type Spool = Awaited<ReturnType<typeof openSpool>>

/**
 * Keeps texts on disk for a while, beside a file, and finds them by their names. What keeps them has no name any more as
 * soon as it is open, so that nothing is left of it however the process ends.
 */
export async function openSpool(beside: string) {
  const file = `${beside}.${randomUUID()}`
  const kept = await open(file, 'wx+', 0o600)
  await rm(file)
  const places = new Map<string, { at: number; length: number }>()
  let end = 0
  return {
    has: (name: string) => places.has(name),
    async keep(name: string, text: string) {
      const bytes = zstdCompressSync(text, QUICKLY)
      await kept.write(bytes, 0, bytes.length, end)
      places.set(name, { at: end, length: bytes.length })
      end += bytes.length
    },
    async find(name: string): Promise<string> {
      const { at, length } = places.get(name) ?? { at: 0, length: 0 }
      const { buffer } = await kept.read(Buffer.alloc(length), 0, length, at)
      return zstdDecompressSync(buffer).toString()
    },
    close: () => kept.close(),
  }
}
