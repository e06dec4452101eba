/** The values of a product as text with a line each, such as "Material: Oak". */
import { MAX_ATTRIBUTE_TEXT } from '#app/products/attribute-contract.ts'
import type { AttributeRow, ValueRow } from './store.ts'
import { isFilled, oneLine, reasonAgainstValue, rowOf } from './values.ts'

export type ReadValues = { rows: ValueRow[]; reason: string | null }

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** The row of a line; a text is the reason why there is none. */
function readLine(line: string, attributes: AttributeRow[]): ValueRow | string {
  const [written = '', ...rest] = line.split(':')
  const attribute = attributes.find(({ name }) => isSame(name, written.trim()))
  if (!attribute) return `There is no attribute "${written}".`
  const { id, name, kind, choices } = attribute
  const value = rest.join(':').trim()
  if (!isFilled(value) || value.length > MAX_ATTRIBUTE_TEXT)
    return `${name} has no value, or one of more than ${MAX_ATTRIBUTE_TEXT} characters.`
  if (kind !== 'choice') {
    const reason = reasonAgainstValue(kind, value)
    return reason ? `${name}: ${reason}` : rowOf(id, kind, value)
  }
  const choice = choices.find((one) => isSame(one.name, value))
  return choice ? rowOf(id, kind, choice._id) : `${name} has no choice "${value}".`
}

/** Reads the values of a product from text, with the reason why it is refused. */
export function readLines(text: string, attributes: AttributeRow[]): ReadValues {
  const rows = new Map<string, ValueRow>()
  for (const line of text.split('\n').map(oneLine)) {
    if (line === '') continue
    const row = readLine(line, attributes)
    if (typeof row === 'string') return { rows: [], reason: row }
    if (rows.has(row.attribute_id)) return { rows: [], reason: `"${line}" is a second value.` }
    rows.set(row.attribute_id, row)
  }
  return { rows: [...rows.values()], reason: null }
}

const keyOf = ({ attribute_id, choice_id, value }: ValueRow) =>
  [attribute_id, choice_id, value].join(' ')

/** Whether two texts have the same values, in any order. */
export function areSameValues(one: string, other: string, attributes: AttributeRow[]): boolean {
  const [first, second] = [one, other].map((text) =>
    readLines(text, attributes).rows.map(keyOf).sort().join('\n'),
  )
  return first === second
}
