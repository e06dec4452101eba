import type { ImportReport } from '#app/products/admin-contract.ts'

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** The sentence about the result of an import or of its check. */
export function outcomeOf(imported: boolean, report: ImportReport): string {
  const { rows, wrong, created, updated, unchanged, quantities } = report
  const wrongRows = `${wrong} of ${counted(rows, 'row')} ${wrong === 1 ? 'is' : 'are'} invalid`
  const right = `${created} new, ${updated} changed, ${unchanged} unchanged`
  if (imported) {
    const done = `The products are imported: ${right}.`
    return wrong > 0 ? `${done} ${wrongRows} and skipped.` : done
  }
  if (wrong > 0) return `${wrongRows}. Nothing was imported.`
  const stock = quantities > 0 ? ` ${counted(quantities, 'product')} would change quantity.` : ''
  return `All rows are valid: ${right}.${stock} Nothing was imported yet.`
}
