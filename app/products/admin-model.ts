/** Whether the last digit of a GTIN (EAN, UPC) checks the others: weighted by 3 and 1 from the right, they add up to tens. */
export function hasCheckDigit(barcode: string): boolean {
  const digits = [...barcode].reverse().map(Number)
  const sum = digits.reduce((sum, digit, at) => sum + digit * (at % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}
