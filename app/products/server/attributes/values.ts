/** The values of attributes that a product has, as they are sent, stored and shown. */
import {
  type AttributeKind,
  AttributeValues,
  type ShownAttribute,
} from '#app/products/attribute-contract.ts'
import { isId } from '#app/shared/contract/fields.ts'
import { isForeignKeyViolation } from '#app/shared/server/database-errors.ts'
import { type Failure, invalid } from '#app/shared/server/failure.ts'
import { fits } from '#app/shared/server/input/validation.ts'
import type { Database } from '#db/schema.ts'
import { replaceValues, type SHOWN_ATTRIBUTES, selectKinds, type ValueRow } from './store.ts'

const areValues = fits(AttributeValues)
const refused = (message: string): Failure => invalid(message, 'attributes')
const gone = () =>
  refused('An attribute or a choice does not exist any more. Please load the product again.')

/** The values that were sent as JSON, without empty ones, by ids in lower case. Throws `invalid`. */
function parseValues(sent: string): Map<string, string> {
  let values: unknown
  try {
    values = JSON.parse(sent)
  } catch {
    throw refused('attributes is not JSON.')
  }
  if (!areValues(values)) throw refused('attributes must be an object of texts.')
  return new Map(
    Object.entries(values)
      .map(([id, value]) => [id.toLowerCase(), value.trim()] as const)
      .filter(([, value]) => value !== ''),
  )
}

/** At most twelve digits before the point and six behind it. */
const NUMBER = /^-?\d{1,12}(\.\d{1,6})?$/

/** Throws `invalid` when the attribute, of this kind, cannot have the value. */
function rowOf(attribute_id: string, kind: AttributeKind | undefined, value: string): ValueRow {
  if (!kind) throw gone()
  if (kind === 'choice') {
    if (!isId(value)) throw refused('A choice must be one of its attribute.')
    return { attribute_id, choice_id: value, value: null }
  }
  if (kind === 'number' && !NUMBER.test(value))
    throw refused(`"${value}" is not a number such as 12.5.`)
  if (kind === 'yes_no' && value !== 'yes' && value !== 'no')
    throw refused(`"${value}" must be yes or no.`)
  return { attribute_id, choice_id: null, value: kind === 'number' ? String(Number(value)) : value }
}

/** Replaces the values of a product by those that were sent as JSON. Throws `invalid`. */
export async function saveValues(tx: Database, productId: string, sent: string): Promise<void> {
  const values = parseValues(sent)
  const ids = [...values.keys()]
  if (!ids.every(isId)) throw gone()
  const kinds = await selectKinds(tx, ids)
  const rows = [...values].map(([id, value]) => rowOf(id, kinds.get(id), value))
  await replaceValues(tx, productId, rows).catch((error) => {
    throw isForeignKeyViolation(error) ? gone() : error
  })
}

/** The values of a product as a statement reads them. */
export type ShownRows = NonNullable<(typeof SHOWN_ATTRIBUTES)['expressionType']>

const typed = (kind: AttributeKind, value: string) => {
  if (kind === 'number') return Number(value)
  return kind === 'yes_no' ? value === 'yes' : value
}

export const presentAttributes = (rows: ShownRows): ShownAttribute[] =>
  rows.map(({ name, kind, value, unit }) => ({
    name,
    value: typed(kind, value),
    ...(unit && { unit }),
  }))
