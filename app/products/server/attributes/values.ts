/** The values of attributes that a product has, as they are sent, stored and shown. */
import { type AttributeKind, AttributeValues } from '#app/products/attribute-contract.ts'
import { FILLED, isId } from '#app/shared/contract/fields.ts'
import { isForeignKeyViolation } from '#app/shared/server/database-errors.ts'
import { type Failure, invalid } from '#app/shared/server/failure.ts'
import { fits } from '#app/shared/server/input/validation.ts'
import type { Database } from '#db/schema.ts'
import { replaceValues, selectKinds, type ValueRow } from './store.ts'

const areValues = fits(AttributeValues)
const refused = (message: string): Failure => invalid(message, 'attributes')
const gone = () =>
  refused('An attribute or a choice does not exist any more. Please load the product again.')

/** The text without blanks around it, in one line. */
export const oneLine = (text: string) => text.trim().replace(/\s+/g, ' ')

const VISIBLE = new RegExp(FILLED, 'u')
/** Whether a value has a visible character; one without is none. */
export const isFilled = (value: string) => VISIBLE.test(value)

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
      .map(([id, value]) => [id.toLowerCase(), oneLine(value)] as const)
      .filter(([, value]) => isFilled(value)),
  )
}

/** At most twelve digits before the point and six behind it. */
const NUMBER = /^-?\d{1,12}(\.\d{1,6})?$/

/** The reason why an attribute of this kind cannot have the value; null if it can. */
export function reasonAgainstValue(kind: AttributeKind, value: string): string | null {
  if (kind === 'choice' && !isId(value)) return 'A choice must be one of its attribute.'
  if (kind === 'number' && !NUMBER.test(value)) return `"${value}" is not a number such as 12.5.`
  return kind === 'yes_no' && value !== 'yes' && value !== 'no'
    ? `"${value}" must be yes or no.`
    : null
}

/** The row of a value that an attribute of this kind can have. */
export const rowOf = (attribute_id: string, kind: AttributeKind, value: string): ValueRow => ({
  attribute_id,
  choice_id: kind === 'choice' ? value.toLowerCase() : null,
  value: kind === 'choice' ? null : storedValue(kind, value),
})

/** A number without zeros that say nothing, in its own digits. */
const storedNumber = (digits: string) => {
  const trimmed = digits
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/\.?0+$/, (end) => (digits.includes('.') ? '' : end))
  return trimmed === '-0' ? '0' : trimmed
}

const storedValue = (kind: AttributeKind, value: string) =>
  kind === 'number' ? storedNumber(value) : value

/** Replaces the values of a product by those that were sent as JSON. Throws `invalid`. */
export async function saveValues(tx: Database, productId: string, sent: string): Promise<void> {
  const values = parseValues(sent)
  const ids = [...values.keys()]
  if (!ids.every(isId)) throw gone()
  const kinds = await selectKinds(tx, ids)
  const rows = [...values].map(([id, value]) => {
    const kind = kinds.get(id)
    if (!kind) throw gone()
    const reason = reasonAgainstValue(kind, value)
    if (reason) throw refused(reason)
    return rowOf(id, kind, value)
  })
  await replaceValues(tx, [{ id: productId, values: rows }]).catch((error) => {
    throw isForeignKeyViolation(error) ? gone() : error
  })
}
