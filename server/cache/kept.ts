import type { Reply } from '../operation/ask-inside.ts'
import { alone, compressed, type Encoding, isCompressible, isText } from './encodings.ts'
import { etagOf, REVALIDATE } from './validators.ts'

/** Header names and values in turn, as they are written. */
export type Flat = string[]

/** An answer ready to be sent. */
export type Form = { bytes: Buffer; headers: Flat }

/** An answer that is the same for everybody, in every form that somebody asked for so far. */
export type Kept = {
  key: string
  route: string
  etag: string
  /** All but those of the form and of the request. */
  headers: Flat
  forms: Map<Encoding, Form | Promise<Form>>
  isCompressible: boolean
  /** Every id that stands in it. */
  ids: ReadonlySet<string>
  /** Until when it may be served; then it is asked for first. Moments are performance.now(). */
  serveUntil: number
  /** From when on a new one is asked for, while this one is served. */
  refreshFrom: number
  /** Until when it is served although nobody knows better, since the shop could not answer. */
  excusedUntil: number
}

/** A look into the database brings in what is wrong; this is against what nobody thought of. */
const REFRESH_MS = 60_000

const NOT_KEPT = ['connection', 'keep-alive', 'date', 'transfer-encoding', 'x-request-id']
const OF_FORM = ['content-length', 'content-encoding', 'etag', 'vary', 'cache-control']

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** The headers of a reply that belong to its content, flat. */
export function contentHeaders(headers: Reply['headers'], without: string[] = []): Flat {
  const left = Object.entries(headers).filter(([name]) => ![...NOT_KEPT, ...without].includes(name))
  return left.flat()
}

function varyOf(reply: Reply, compressible: boolean): Flat {
  const names = (reply.headers.vary ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name.toLowerCase() !== 'accept-encoding')
  const all = compressible ? [...names, 'Accept-Encoding'] : names
  return all.length > 0 ? ['vary', all.join(', ')] : []
}

/** Whether it is the same for everybody, by what it says of itself. */
export function mayBeKept({ status, headers }: Reply): boolean {
  const control = headers['cache-control'] ?? ''
  return status === 200 && !headers['set-cookie'] && !/no-store|private/.test(control)
}

/** Every id that stands in a text, as words of their own: a piece of the text would keep all of it. */
const idsIn = (text: Buffer): string[] =>
  (text.toString('latin1').match(ID) ?? []).map((id) => Buffer.from(id).toString('latin1'))

/** Makes of a reply what is kept; `begun` is when it was asked for. */
export function keep(
  reply: Reply,
  { key, route }: Pick<Kept, 'key' | 'route'>,
  begun: number,
): Kept {
  const bytes = alone(reply.body)
  const type = reply.headers['content-type'] ?? ''
  const compressible = isCompressible(type, bytes)
  const etag = reply.headers.etag ?? etagOf(bytes)
  const headers = [
    ...contentHeaders(reply.headers, OF_FORM),
    ...['cache-control', reply.headers['cache-control'] ?? REVALIDATE, 'etag', etag],
    ...varyOf(reply, compressible),
  ]
  const plain = { bytes, headers: [...headers, 'content-length', `${bytes.length}`] }
  return {
    ...{ key, route, etag, headers, isCompressible: compressible },
    forms: new Map([['identity', plain]]),
    ids: new Set(isText(type) ? idsIn(bytes) : []),
    serveUntil: Number.POSITIVE_INFINITY,
    refreshFrom: begun + REFRESH_MS,
    excusedUntil: 0,
  }
}

/** The size of a kept answer in bytes, with everything that belongs to it. */
export function sizeOf({ key, headers, forms, ids }: Kept): number {
  const [overhead, perText, perId] = [1000, 60, 120]
  let size = overhead + 2 * key.length + perId * ids.size
  for (const form of forms.values()) {
    if (form instanceof Promise) continue
    size += form.bytes.length + perText * headers.length
  }
  return size
}

async function makeForm({ headers }: Kept, plain: Form, encoding: 'br' | 'gzip'): Promise<Form> {
  const bytes = await compressed(plain.bytes, encoding)
  if (bytes.length >= plain.bytes.length) return plain
  const own = ['content-encoding', encoding, 'content-length', `${bytes.length}`]
  return { bytes, headers: [...headers, ...own] }
}

/**
 * The form in this encoding; a promise the first time, whose end `made` hears of. What cannot be
 * compressed, for want of memory, is given as it is.
 */
export function formOf(kept: Kept, encoding: Encoding, made: () => void): Form | Promise<Form> {
  const { forms } = kept
  const wanted = kept.isCompressible ? encoding : 'identity'
  const known = forms.get(wanted)
  if (known) return known
  const plain = forms.get('identity')
  if (!plain || plain instanceof Promise || wanted === 'identity') {
    throw new Error('An answer is always kept as it is.')
  }
  const making = makeForm(kept, plain, wanted).then(
    (form) => {
      forms.set(wanted, form)
      made()
      return form
    },
    () => {
      forms.delete(wanted)
      return plain
    },
  )
  forms.set(wanted, making)
  return making
}
