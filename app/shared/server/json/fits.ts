import { Ajv, type ValidateFunction } from 'ajv'
import type { Static, TSchema } from 'typebox'

const ajv = new Ajv({ strict: false, validateSchema: false })

/**
 * Returns a type guard for a schema, without coercion. The schema is compiled at the first call, so
 * that the shop starts without waiting for it.
 */
export function fits<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => value is Static<Schema> {
  let validate: ValidateFunction<Static<Schema>> | undefined
  return (value): value is Static<Schema> => {
    validate ??= ajv.compile<Static<Schema>>(schema)
    return validate(value)
  }
}
