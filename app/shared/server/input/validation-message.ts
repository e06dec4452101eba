import type { ErrorObject } from 'ajv'
import type { FastifySchemaValidationError } from 'fastify'
import { FILLED } from '#app/shared/contract/fields.ts'
import { tooManyDecimals } from './given-money.ts'

/** The path of the invalid field, such as `rates.0.price`. */
export const pathOf = ({ instancePath, params }: FastifySchemaValidationError) =>
  [...instancePath.split('/').slice(1), params.missingProperty]
    .filter((part) => typeof part === 'string')
    .join('.') || 'body'

/** JSON Schema types in plain words. */
const TYPES: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const typesOf = (type: unknown) =>
  [type]
    .flat()
    .map((one) => TYPES[String(one)] ?? String(one))
    .join(' or ')

/** The sentence about a validation error, naming the field. */
export function validationMessage(error: FastifySchemaValidationError): string {
  const field = pathOf(error)
  const { keyword, params, data, schema, parentSchema } = error as ErrorObject
  switch (keyword) {
    case 'required':
      return `${field} is required.`
    case 'minLength':
      return params.limit === 1
        ? `${field} is required.`
        : `${field} must have at least ${params.limit} characters.`
    case 'maxLength':
      return `${field} may have at most ${params.limit} characters.`
    case 'format':
      if (params.format === 'day') return `${field} is not a day of the calendar.`
      return `${field} has characters that are not allowed.`
    case 'pattern':
      if (params.pattern === FILLED || data === '') return `${field} is required.`
      return `${field} ${parentSchema?.['x-refusal'] ?? 'is not valid'}.`
    case 'minimum':
      return `${field} must be at least ${params.limit}.`
    case 'maximum':
      return `${field} must be at most ${params.limit}.`
    case 'maxItems':
      return `${field} may have at most ${params.limit} entries.`
    case 'enum':
      return `${field} must be one of: ${params.allowedValues.join(', ')}.`
    case 'type':
      // an empty field of a form
      return data === '' ? `${field} is required.` : `${field} must be ${typesOf(params.type)}.`
    case 'maxDecimals':
      return tooManyDecimals(field, Number(schema))
    default:
      return `${field} is not valid.`
  }
}
