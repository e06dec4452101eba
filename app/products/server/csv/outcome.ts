import type { ImportReport } from '#app/products/admin-contract.ts'

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** The sentence about the result of an import or of its check. */
export function outcomeOf(imported: boolean, report: ImportReport): string {
  const { rows, wrong, created, updated, unchanged, quantities } = report
  const wrongRows = `${wrong} of ${counted(rows, 'row')} ${wrong === 1 ? 'is' : 'are'} wrong`
  const right = `${created} new, ${updated} changed, ${unchanged} as before`
  if (imported) {
    const done = `The products are imported: ${right}.`
    return wrong > 0 ? `${done} ${wrongRows} and left out.` : done
  }
  if (wrong > 0) return `${wrongRows}. Nothing was imported.`
  const stock =
    quantities > 0 ? ` ${counted(quantities, 'product')} would get another quantity.` : ''
  return `Every row is right: ${right}.${stock} Nothing was imported yet.`
}
