import { editPath } from './contract.ts'

/** Whether the last digit of a GTIN (EAN, UPC) checks the others: weighted by 3 and 1 from the right, they add up to tens. */
export function hasCheckDigit(barcode: string): boolean {
  const digits = [...barcode].reverse().map(Number)
  const sum = digits.reduce((sum, digit, at) => sum + digit * (at % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}

/** The id of the part of a product's edit page with its options and variants. */
export const VARIANTS_ID = 'variants'

/** The path of that part. */
export const variantsPath = (product: { slug: string }) => `${editPath(product)}#${VARIANTS_ID}`
