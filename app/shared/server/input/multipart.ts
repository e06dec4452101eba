import { finished } from 'node:stream'
import multipart, { type Multipart } from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { PHOTO_LIMITS } from '#app/shared/model/photo.ts'
import { aborted, Failure, invalid, tooLarge, tooManyUploads } from '../failure.ts'
import { acquireSlot, boundedSlots } from '../limits/slots.ts'

const MEBIBYTE = 1024 * 1024
/** A file, and as much text as a JSON body may have. */
const MAX_FORM_BYTES = PHOTO_LIMITS.bytes + MEBIBYTE
const LIMITS = {
  fields: 100,
  files: 10,
  parts: 110,
  fieldNameSize: 200,
  fieldSize: MEBIBYTE,
  fileSize: PHOTO_LIMITS.bytes,
  headerPairs: 20,
}

/** The number of forms with files in memory at once; others wait unread, without using memory. */
const LARGE_FORMS = {
  concurrency: 6,
  queue: 100,
  refusal: tooManyUploads,
}

/** The only file field. */
const FILE = 'photo'

/** A parsed form: its fields, typed by its schema, and its file. */
export type Form = { fields: Record<string, unknown>; photo: Buffer | undefined }

/** Adds the multipart parser to a scope. */
export const acceptForms = (scope: FastifyInstance) => scope.register(multipart, { limits: LIMITS })

const propertiesOf = (schema: TSchema | undefined): Record<string, unknown> =>
  schema && 'properties' in schema ? Object(schema.properties) : {}

/** The schema of a form for OpenAPI, with the file. */
export const formSchema = (schema: TSchema) => ({
  ...schema,
  properties: { ...propertiesOf(schema), [FILE]: { type: 'string', format: 'binary' } },
})

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid(`${name} is not JSON.`, name)
  }
}

/** Converts form text to the type of its schema: a number, or an object, which is sent as JSON. */
function typed(value: unknown, schema: unknown, name: string): unknown {
  if (typeof value !== 'string') return value
  const { anyOf = [schema], type } = Object(schema)
  if (type === 'object') return parseJson(value, name)
  const isNumeric = anyOf.some((one: unknown) => ['number', 'integer'].includes(Object(one).type))
  if (!isNumeric) return value.replaceAll('\r\n', '\n')
  return NUMBER.test(value.trim()) ? Number(value) : value
}

/** Adds a part to the form. Unknown fields are ignored. */
async function add(part: Multipart, form: Form, properties: Record<string, unknown>) {
  const { fieldname: name, type } = part
  if (type === 'file') {
    const bytes = await part.toBuffer()
    if (Object.hasOwn(properties, name)) throw invalid(`${name} must not be a file.`, name)
    // an input without a selected file sends an empty part without a name
    if (name !== FILE || (bytes.length === 0 && !part.filename)) return
    if (form.photo) throw invalid(`${FILE} was sent more than once.`, FILE)
    form.photo = bytes
    return
  }
  if (part.valueTruncated) throw tooLarge(`${name} is too long.`, name)
  if (name === FILE && part.value !== '') throw invalid(`${FILE} must be a file.`, FILE)
  if (!Object.hasOwn(properties, name)) return
  if (Object.hasOwn(form.fields, name)) throw invalid(`${name} was sent more than once.`, name)
  form.fields[name] = typed(part.value, properties[name], name)
}

const tooLargeFile = () => tooLarge('The file is too large: it may have at most 10 MB.', FILE)

/** The parser's own errors have a status, except for malformed forms. */
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
    // drains the rest of the request, so that the client can read the answer
    request.raw.unpipe()
    request.raw.resume()
    throw asFailure(error)
  }
}

/**
 * Creates the reader of a scope's forms. It throws `too_large`, `invalid` for a malformed form, a
 * repeated field or a file in a text field, and `unavailable` when too many large forms wait.
 */
export function formReader() {
  const slots = boundedSlots(LARGE_FORMS)
  return async (request: FastifyRequest, reply: FastifyReply, schema: TSchema): Promise<Form> => {
    const announced = request.headers['content-length']
    const bytes = announced === undefined ? MAX_FORM_BYTES : Number(announced)
    if (bytes > MAX_FORM_BYTES) throw tooLargeFile()
    if (bytes > MEBIBYTE) {
      const release = await acquireSlot(slots)
      finished(reply.raw, release)
      if (request.raw.destroyed) throw aborted()
    }
    return parse(request, propertiesOf(schema))
  }
}
