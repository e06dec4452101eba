import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../contract/endpoint.ts'
import { invalid, tooLarge } from './failure.ts'

/** Lets a scope take files of the endpoint's type as they come in, and nothing else. */
export function acceptUpload(scope: FastifyInstance, { upload }: Endpoint) {
  scope.removeAllContentTypeParsers()
  if (upload) scope.addContentTypeParser(upload, (_request, payload, done) => done(null, payload))
}

/** Lets a scope take JSON as the bytes it came in, and nothing else. */
export function acceptRaw(scope: FastifyInstance) {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
}

/** Hands on what may be written; what is over is read and forgotten, so that the sender gets to hear of it. */
async function* upTo(most: number, upload: Readable) {
  let bytes = 0
  for await (const chunk of upload) {
    bytes += chunk.length
    if (bytes <= most) yield chunk
  }
  if (bytes > most) throw tooLarge(`The file may have at most ${Math.floor(most / 2 ** 20)} MB.`)
}

/**
 * Writes an upload to a temporary file, so that memory never holds it, and answers its path and
 * how to remove it. Throws `invalid` when nothing was sent, `too_large` over `most` bytes.
 */
export async function saveUpload(
  upload: Readable | undefined,
  most: number,
): Promise<{ path: string; remove: () => Promise<void> }> {
  if (!upload) throw invalid('Send the file as the body of the request.')
  const folder = await mkdtemp(join(tmpdir(), 'haat-upload-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'upload')
  try {
    await pipeline(upTo(most, upload), createWriteStream(path))
    return { path, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
