import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { invalid, tooLarge } from '../failure.ts'
import { acceptForms } from './multipart.ts'

/** Accepts in this scope the body of an endpoint with a form, a file as a stream, or JSON as bytes. */
export async function acceptBody(scope: FastifyInstance, { multipart, upload, raw }: Endpoint) {
  scope.removeAllContentTypeParsers()
  if (multipart) await acceptForms(scope)
  if (upload) scope.addContentTypeParser(upload, (_request, payload, done) => done(null, payload))
  if (raw) {
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
  }
}

/** Passes bytes on up to the limit and drains the rest, so that the client can read the answer. */
async function* upTo(max: number, upload: Readable) {
  let bytes = 0
  for await (const chunk of upload) {
    bytes += chunk.length
    if (bytes <= max) yield chunk
  }
  if (bytes > max) throw tooLarge(`The file may have at most ${Math.floor(max / 2 ** 20)} MB.`)
}

/**
 * Writes an upload to a temporary file and returns its path and a function that deletes it. Throws
 * `invalid` for an empty upload, and `too_large` above `max` bytes.
 */
export async function saveUpload(
  upload: Readable | undefined,
  max: number,
): Promise<{ path: string; remove: () => Promise<void> }> {
  if (!upload) throw invalid('Send the file as the body of the request.')
  const folder = await mkdtemp(join(tmpdir(), 'haat-upload-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'upload')
  try {
    await pipeline(upTo(max, upload), createWriteStream(path))
    return { path, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
