import type { IncomingHttpHeaders } from 'node:http'
import { unsupportedMedia } from '../failure.ts'

/**
 * Throws `unsupported_media` for a request whose body is compressed: a few bytes would become more
 * than any limit on what is sent. No browser compresses what it sends.
 */
export function refuseEncoded({ 'content-encoding': encoding = '' }: IncomingHttpHeaders) {
  if (!['', 'identity'].includes(encoding.trim().toLowerCase()))
    throw unsupportedMedia('Compressed request bodies are not supported.')
}
