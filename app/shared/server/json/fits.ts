import { Ajv, type ValidateFunction } from 'ajv'
import type { Static, TSchema } from 'typebox'

const ajv = new Ajv({ strict: false })

/**
 * Makes a test of whether a value is what the schema says. Nothing is coerced or changed; the schema
 * is compiled when somebody asks first, so that the shop is not later open for it.
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
