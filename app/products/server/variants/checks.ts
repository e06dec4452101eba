/** What nobody may save of options and variants; each problem names its field. */

import { hasCheckDigit } from '#app/products/admin-model.ts'
import type { ProductOption, VariantEdit } from '#app/products/variant-contract.ts'
import type { FieldProblem } from '#app/shared/contract/failure.ts'
import { nameIn, SLOTS, type State, valuesOf } from './rows.ts'
import type { VariantRow } from './store.ts'

const folded = (text: string) => text.trim().toLowerCase()

/** The fields whose key others have, too, as problems. */
const twice = (keyed: { key: string; field: string }[], message: string): FieldProblem[] =>
  [...Map.groupBy(keyed, ({ key }) => key).values()]
    .filter(({ length }) => length > 1)
    .flat()
    .map(({ field }) => ({ field, message }))

/** Problems of options: two of one name, or of one place, and two values of one name. */
export function problemsOfOptions(options: ProductOption[]): FieldProblem[] {
  const names = options.map(({ name }, at) => ({
    key: folded(name),
    field: `options.to.${at}.name`,
  }))
  const slots = options.map(({ slot }, at) => ({ key: `${slot}`, field: `options.to.${at}.slot` }))
  return [
    ...twice(names, 'Two options have this name.'),
    ...twice(slots, 'Two options have this place.'),
    ...twice(
      options.flatMap(({ values }, at) =>
        values.map(({ _id }, index) => ({
          key: _id.toLowerCase(),
          field: `options.to.${at}.values.${index}._id`,
        })),
      ),
      'Two values have this id.',
    ),
    ...options.flatMap(({ name: option, values }, at) =>
      twice(
        values.map(({ name }, index) => ({
          key: folded(name),
          field: `options.to.${at}.values.${index}.name`,
        })),
        `Two values of ${option} have this name.`,
      ),
    ),
  ]
}

/** New variants whose id another one has. */
export function problemsOfIds({ variants }: State, { added = [] }: VariantEdit): FieldProblem[] {
  const ids = new Set(variants.map(({ id }) => id))
  return added.flatMap(({ _id }, at) => {
    const id = _id.toLowerCase()
    const isTaken = ids.has(id)
    ids.add(id)
    return isTaken
      ? [{ field: `added.${at}._id`, message: 'A new variant has the id of another one.' }]
      : []
  })
}

/** The path of a variant in the body of the request; null for one that the edit does not name. */
export type FieldOf = (row: VariantRow) => string | null

/**
 * Cells that nobody may save: a price to compare at that is not higher, where one of the two is changed, and a barcode with a
 * wrong digit.
 */
function problemsOfCells(
  name: string,
  { row, former }: { row: VariantRow; former: VariantRow | undefined },
  path: string,
): FieldProblem[] {
  const { compare_at_minor: before, price_minor: price, barcode } = row
  const isSame = former?.compare_at_minor === before && former.price_minor === price
  const problems: FieldProblem[] = []
  if (!isSame && before !== null && before <= price)
    problems.push({
      field: `${path}.compareAt`,
      message: `${name}: “Compare at” has to be higher than the price.`,
    })
  if (barcode !== null && !hasCheckDigit(barcode))
    problems.push({
      field: `${path}.barcode`,
      message: `${name}: the last digit of the barcode does not fit the others.`,
    })
  return problems
}

/** Problems of variants, which `state` has as they are stored: of the cells of those that the edit names, and codes and combinations that two have. */
export function problemsOfVariants(state: State, rows: VariantRow[], fieldOf: FieldOf) {
  const formers = new Map(state.variants.map((row) => [row.id, row]))
  const named = (row: VariantRow) => nameIn(state, row)
  const shared = (key: (row: VariantRow) => string | null, cell: string, what: string) =>
    [...Map.groupBy(rows, key)].flatMap(([value, alike]) =>
      value === null || alike.length === 1
        ? []
        : alike.map((row) => ({
            field: `${fieldOf(row) ?? 'options'}${cell}`,
            message: `${alike.map(named).join(' and ')} have the same ${what}.`,
          })),
    )
  return [
    ...rows.flatMap((row) => {
      const path = fieldOf(row)
      return path === null
        ? []
        : problemsOfCells(named(row), { row, former: formers.get(row.id) }, path)
    }),
    ...shared((row) => valuesOf(row).join(), '.values', 'values'),
    ...shared(({ sku }) => sku, '.sku', 'SKU'),
    ...shared(({ barcode }) => barcode, '.barcode', 'barcode'),
  ]
}

/** Problems of variants with a value that their option does not have, or without one. */
export function problemsOfValues(
  options: ProductOption[],
  rows: VariantRow[],
  fieldOf: FieldOf,
): FieldProblem[] {
  const known = SLOTS.map(
    (_, at) => new Set(options.find(({ slot }) => slot === at + 1)?.values.map(({ _id }) => _id)),
  )
  return rows
    .filter((row) =>
      valuesOf(row).some((id, at) =>
        id === null ? (known[at]?.size ?? 0) > 0 : !known[at]?.has(id),
      ),
    )
    .map((row) => ({
      field: `${fieldOf(row) ?? 'options'}.values`,
      message: 'A variant has one value of each option. Remove the variants of a removed value.',
    }))
}
