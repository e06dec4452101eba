import type { IncomingHttpHeaders } from 'node:http'
import { unsupportedMedia } from '../failure.ts'

/**
 * Throws `unsupported_media` for a compressed request body: a few bytes could expand beyond every
 * body limit (decompression bomb). Browsers do not compress request bodies.
 */
export function refuseEncoded({ 'content-encoding': encoding = '' }: IncomingHttpHeaders) {
  if (!['', 'identity'].includes(encoding.trim().toLowerCase()))
    throw unsupportedMedia('Compressed request bodies are not supported.')
}
