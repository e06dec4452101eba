import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import stringify from 'fast-json-stringify'
import type { FastifyInstance, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { FieldProblem } from '#app/shared/contract/failure.ts'
import { STRIPPED, type Stripped } from '#app/shared/model/visible-text.ts'
import { type Failure, invalid, invalidFields } from '../failure.ts'
import { pathOf, validationMessage } from './validation-message.ts'

const isText = (value: string) => !value.includes('\0') && value.isWellFormed()

/** Whether a text is a calendar day such as 2026-11-21, without the year 0. */
const isDay = (value: string) =>
  value > '0001' && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true

/** Whether a number has at most so many decimals. */
const hasDecimals = (max: number, value: number) => Number(value.toFixed(max)) === value

/** Replaces a text in what has it by the text without the characters that are not seen. */
function strip(kind: Stripped, text: string, _schema: unknown, at?: DataValidationCxt) {
  const { parentData, parentDataProperty } = at ?? {}
  if (typeof parentData === 'object' && parentDataProperty !== undefined)
    parentData[parentDataProperty] = STRIPPED[kind](text)
  return true
}

const compiler = (coerceTypes: boolean) =>
  new Ajv({
    coerceTypes,
    useDefaults: true,
    removeAdditional: false,
    strict: false,
    // for messages that depend on the schema or the value
    verbose: true,
    // a start would compile the schema of schemas for it; TypeBox makes valid ones
    validateSchema: false,
  })
    .addFormat('text', isText)
    .addFormat('day', isDay)
    // only for files, which no schema validates
    .addFormat('binary', true)
    .addKeyword({
      keyword: 'maxDecimals',
      type: 'number',
      schemaType: 'number',
      validate: hasDecimals,
      errors: false,
      error: { message: 'may have fewer decimals' },
    })
    .addKeyword({
      keyword: 'x-strips',
      type: 'string',
      schemaType: 'string',
      // the other rules apply to the text that is left
      before: 'maxLength',
      modifying: true,
      validate: strip,
      errors: false,
    })

/** Whole numbers in decimal notation: coercion alone would accept `1e3`, `+1`, `0x1` and ` 1`. */
const WHOLE = /^(0|-?[1-9]\d*)$/

const wholeNumbersOf = (schema: object): string[] =>
  Object.entries<{ type?: unknown }>(Object(Object(schema).properties))
    .filter(([, { type }]) => type === 'integer')
    .map(([name]) => name)

const notWhole = (name: string): ErrorObject => ({
  keyword: 'type',
  params: { type: 'integer' },
  instancePath: `/${name}`,
  schemaPath: `#/properties/${name}/type`,
})

type Validate = (data: unknown) => true | { error: ErrorObject[] }

/**
 * The errors of a value, or null. Ajv stores them, and with them the refused value, on the compiled function
 * until its next run: they are removed, so that no refused body stays in memory.
 */
function errorsOf(validate: ValidateFunction, value: unknown): ErrorObject[] | null {
  if (validate(value)) return null
  const { errors } = validate
  validate.errors = null
  return errors ?? []
}

function compileWith(ajv: Ajv, schema: object): Validate {
  const validate = ajv.compile(schema)
  return (data) => {
    const error = errorsOf(validate, data)
    return error ? { error } : true
  }
}

const requiredIn = (name: string, required: unknown) =>
  Array.isArray(required) && required.includes(name) ? [name] : []

/**
 * Compiles the properties of a body's schema one by one. Each reports its first error only: the list is
 * as long as the form, unlike that of Ajv's `allErrors`, which the client decides.
 */
const compileProperties = (ajv: Ajv, { properties, required }: Partial<Record<string, object>>) =>
  Object.entries(Object(properties)).map(([name, property]) =>
    compileWith(ajv, {
      type: 'object',
      properties: { [name]: property },
      required: requiredIn(name, required),
    }),
  )

/** Compiles the schema of a body. The errors are the first one, and then that of each property. */
function compileForBody(ajv: Ajv, schema: object): Validate {
  const validate = compileWith(ajv, schema)
  const propertiesOf = whenUsed(() => {
    const all = compileProperties(ajv, { ...schema })
    return (data: unknown) => all.map((one) => one(data)).filter((found) => found !== true)
  })
  return (data) => {
    const found = validate(data)
    if (found === true || typeof data !== 'object' || Array.isArray(data)) return found
    return { error: [found, ...propertiesOf(data)].flatMap(({ error }) => error) }
  }
}

/** Compiles a schema for path or query, whose values are text. */
function compileForAddress(ajv: Ajv, schema: object): Validate {
  const validate = compileWith(ajv, schema)
  const names = wholeNumbersOf(schema)
  const isOdd = (value: unknown) => typeof value === 'string' && !WHOLE.test(value)
  return (data) => {
    const odd = names.find((name) => isOdd(Object(data)[name]))
    return odd === undefined ? validate(data) : { error: [notWhole(odd)] }
  }
}

/**
 * Compiles a schema when it is first used: compiling all of them would take a seventh of the start.
 */
function whenUsed<Given, Made>(compile: () => (given: Given) => Made): (given: Given) => Made {
  let compiled: ((given: Given) => Made) | undefined
  return (given) => {
    compiled ??= compile()
    return compiled(given)
  }
}

/** Compiles schemas at their first use. */
export type Schemas = {
  /** A check of one part of a request, which may change it: defaults, and numbers of texts. */
  validatorOf: (schema: object, part: string | undefined) => Validate
  serializerOf: (schema: object) => (answer: unknown) => string
}

/**
 * Compiles the schemas of requests and answers. Path and query are coerced from text; a JSON body
 * is not, so `"1"` is not a number there.
 */
export function addValidation(app: FastifyInstance): Schemas {
  const ofAddress = compiler(true)
  const ofBody = compiler(false)
  const validatorOf: Schemas['validatorOf'] = (schema, part) =>
    whenUsed(() =>
      part === 'body' ? compileForBody(ofBody, schema) : compileForAddress(ofAddress, schema),
    )
  // answers may have the formats of bodies, and are not validated
  const ajv = { formats: { text: true, day: true } } as const
  const serializerOf: Schemas['serializerOf'] = (schema) =>
    whenUsed(() => stringify(schema, { ajv }))
  app.setValidatorCompiler<object>(({ schema, httpPart }) => validatorOf(schema, httpPart))
  app.setSerializerCompiler<object>(({ schema }) => serializerOf(schema))
  return { validatorOf, serializerOf }
}

/** A lone surrogate, percent-encoded; it is not valid Unicode. */
const LONE_SURROGATE = /%ED%[AB][0-9A-F]%/i

/** Refuses a URL that is not valid Unicode, which the query parser would accept. */
export function refuseBrokenText({ url }: FastifyRequest) {
  if (LONE_SURROGATE.test(url)) throw invalid('The address has characters that are not allowed.')
}

/**
 * The error of a property that names the refused field best. Of alternatives, each is reported, and
 * then that none of them is met: an object that may be null is refused where it is wrong.
 */
function mostExact(errors: FastifySchemaValidationError[]): FastifySchemaValidationError[] {
  const whole = errors.find(({ keyword }) => keyword === 'anyOf')
  const part = whole && errors.find((error) => pathOf(error).startsWith(`${pathOf(whole)}.`))
  const one = part ?? whole ?? errors[0]
  return one ? [one] : []
}

/** A validation error as a failure, which names each field of a body that is refused. */
export function invalidInput(errors: FastifySchemaValidationError[]): Failure {
  const [first, ...ofProperties] = errors
  if (!first) return invalid('The request is not valid.')
  const byProperty = Map.groupBy(ofProperties, (error) => pathOf(error).split('.', 1)[0])
  const refused = [...byProperty.values()].flatMap(mostExact)
  const problemOf = (error: FastifySchemaValidationError) => ({
    field: pathOf(error),
    message: validationMessage(error),
  })
  if (refused.length === 0) return invalid(validationMessage(first))
  return invalidFields(refused.map(problemOf), problemOf(first))
}

/**
 * Checks the rules of an endpoint beside its schema, whose errors the request has.
 * Throws `invalid` with all fields that either refuses.
 */
export function requireRules(
  rules: (body: object) => FieldProblem[],
  { body, validationError }: FastifyRequest,
) {
  if (validationError && (validationError.validationContext !== 'body' || typeof body !== 'object'))
    throw validationError
  const bySchema = validationError ? invalidInput(validationError.validation ?? []) : null
  const { fields: refused = [], field = '' } = bySchema?.details ?? {}
  const byRules = rules(Object(body)).filter((one) =>
    refused.every((other) => other.field !== one.field),
  )
  const fields = [...refused, ...byRules]
  if (fields.length > 0) {
    throw invalidFields(fields, bySchema ? { field, message: bySchema.message } : fields[0])
  }
  if (validationError) throw validationError
}

/** Creates a check for input other than requests: returns the error message, or null. */
export function checkOf(schema: object): (value: unknown) => string | null {
  const validate = compiler(false).compile(schema)
  return (value) => {
    const errors = errorsOf(validate, value)
    if (!errors) return null
    const [error] = errors
    return error ? validationMessage(error) : 'It is not valid.'
  }
}

/** Creates a check of each property by itself: returns the message of each that is refused, by name. */
export function checkEachOf({ properties }: { properties: Record<string, object> }) {
  const checks = Object.entries(properties).map(
    ([name, schema]) => [name, checkOf({ properties: { [name]: schema } })] as const,
  )
  return (value: unknown): Map<string, string> =>
    new Map(
      checks.flatMap(([name, check]) => {
        const message = check(value)
        return message === null ? [] : [[name, message]]
      }),
    )
}

/** Creates a type guard for a schema. The schema is compiled at the first call. */
export function fits<Schema extends TSchema>(schema: Schema) {
  const check = whenUsed(() => checkOf(schema))
  return (value: unknown): value is Static<Schema> => check(value) === null
}
