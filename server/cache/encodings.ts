import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** How bytes travel; best first, and as they are at last. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Smaller ones fit into a packet anyway. */
const SMALLEST = 1024
const TEXT = /^(text\/|application\/(json|javascript)|image\/svg)/

/** A client's browser sends the same header with every request, and there are few browsers. */
const MOST_REMEMBERED = 200

function weightsOf(header: string): Map<string, number> {
  const ranges = header
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
  return new Map(
    ranges.map(([name = '', ...parameters]) => {
      const weight = parameters.find((one) => one.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
    }),
  )
}

function choose(header: string): Encoding {
  const weights = weightsOf(header)
  const liking = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const [brotli, zip] = [liking('br'), liking('gzip')]
  if (brotli > 0 && brotli >= zip) return 'br'
  return zip > 0 ? 'gzip' : 'identity'
}

/** The encoding that an Accept-Encoding header likes best. */
export function encodingChooser(): (header: string | undefined) => Encoding {
  const chosen = new Map<string, Encoding>()
  return (header) => {
    if (header === undefined) return 'identity'
    const known = chosen.get(header)
    if (known) return known
    if (chosen.size >= MOST_REMEMBERED) chosen.clear()
    const encoding = choose(header)
    chosen.set(header, encoding)
    return encoding
  }
}

export const isText = (type: string) => TEXT.test(type)

/** Whether anything is won by compressing such a body. */
export const isCompressible = (type: string, { length }: Buffer) =>
  length >= SMALLEST && isText(type)

const COMPRESS = {
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 6 }),
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        [constants.BROTLI_PARAM_LGWIN]: 18,
      },
    }),
}

/** The same bytes in memory of their own: a piece of a pool would keep all of the pool. */
export function alone(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/** Compresses on another thread, well rather than best: somebody waits. */
export const compressed = async (bytes: Buffer, encoding: Exclude<Encoding, 'identity'>) =>
  alone(await COMPRESS[encoding](bytes))
