import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import multipart, { type Multipart } from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { type BoundedLimit, boundedLimit } from './bounds/bounded-limit.ts'
import { Failure, invalid, tooLarge } from './failure.ts'

const MEBIBYTE = 1024 * 1024
const LARGEST_FILE = 10 * MEBIBYTE
/** A file, and beside it as much text as a JSON body may have. */
const LARGEST_FORM = LARGEST_FILE + MEBIBYTE
const LIMITS = {
  ...{ fields: 100, files: 10, parts: 110 },
  ...{ fieldNameSize: 200, fieldSize: MEBIBYTE, fileSize: LARGEST_FILE, headerPairs: 20 },
}

/** Forms with files that are in memory at once; the others wait unread, which costs no memory. */
const LARGE_FORMS = {
  concurrency: 6,
  queue: 100,
  retryAfter: 60,
  message: 'Many uploads are waiting already. Please try again in a minute.',
}

/** The one field that is a file. */
const FILE = 'photo'

/** What a form says: its fields, typed as its schema has them, and the file that came along. */
export type Form = { fields: Record<string, unknown>; photo: Buffer | undefined }

/** Lets a scope understand forms, and nothing else. */
export async function acceptForms(scope: FastifyInstance) {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart, { limits: LIMITS })
}

const propertiesOf = (schema: TSchema | undefined): Record<string, unknown> =>
  schema && 'properties' in schema ? Object(schema.properties) : {}

/** The schema of a form as it is printed, the file among its fields. */
export const formSchema = (schema: TSchema) => ({
  ...schema,
  properties: { ...propertiesOf(schema), [FILE]: { type: 'string', format: 'binary' } },
})

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** A form carries only text: a number is what the schema calls one and what reads as one. */
function typed(value: unknown, schema: unknown): unknown {
  if (typeof value !== 'string') return value
  const { type } = Object(schema)
  if (type !== 'number' && type !== 'integer') return value.replaceAll('\r\n', '\n')
  return NUMBER.test(value.trim()) ? Number(value) : value
}

/** Adds a part to the form. A field that no schema knows is ignored. */
async function add(part: Multipart, form: Form, properties: Record<string, unknown>) {
  const { fieldname: name, type } = part
  if (type === 'file') {
    const bytes = await part.toBuffer()
    if (Object.hasOwn(properties, name)) throw invalid(`${name} must not be a file.`)
    // an input without a file sends nothing under no name
    if (name !== FILE || (bytes.length === 0 && !part.filename)) return
    if (form.photo) throw invalid(`${FILE} was sent more than once.`)
    form.photo = bytes
    return
  }
  if (part.valueTruncated) throw tooLarge(`${name} is too long.`)
  if (name === FILE && part.value !== '') throw invalid(`${FILE} must be a file.`)
  if (!Object.hasOwn(properties, name)) return
  if (Object.hasOwn(form.fields, name)) throw invalid(`${name} was sent more than once.`)
  form.fields[name] = typed(part.value, properties[name])
}

const tooLargeFile = () => tooLarge('The file is too large: it may have at most 10 MB.')

/** The parser's own errors have a status or, where the form is broken, none. */
function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const { code, statusCode } = Object(error)
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLargeFile()
  if (statusCode === 413) return tooLarge('The form has too many fields.')
  return invalid('The form could not be read.')
}

async function parse(request: FastifyRequest, properties: Record<string, unknown>): Promise<Form> {
  const form: Form = { fields: {}, photo: undefined }
  try {
    for await (const part of request.parts()) await add(part, form, properties)
    return form
  } catch (error) {
    // what is still on its way is read and forgotten, so that the sender gets to hear the answer
    request.raw.unpipe()
    request.raw.resume()
    throw asFailure(error)
  }
}

/** Waits for a place in the limit, and keeps it until the response is sent or given up. */
const limitUntilAnswered = (limit: BoundedLimit, response: ServerResponse) =>
  new Promise<void>((enter, refuse) => {
    limit(async () => {
      enter()
      await finished(response).catch(() => {})
    }).catch(refuse)
  })

/**
 * Makes the reader of a scope's forms. It throws `too_large`, or `invalid` for what is no form,
 * a field that came twice, and a file in the place of a text. A large form waits until few others
 * are in memory; where too many wait, it throws `unavailable`.
 */
export function formReader() {
  const limit = boundedLimit(LARGE_FORMS)
  return async (request: FastifyRequest, reply: FastifyReply, schema: TSchema): Promise<Form> => {
    const announced = request.headers['content-length']
    const bytes = announced === undefined ? LARGEST_FORM : Number(announced)
    if (bytes > LARGEST_FORM) throw tooLargeFile()
    if (bytes > MEBIBYTE) {
      await limitUntilAnswered(limit, reply.raw)
      if (request.raw.destroyed) throw invalid('The request was given up.')
    }
    return parse(request, propertiesOf(schema))
  }
}
