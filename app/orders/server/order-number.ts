/** The number of an order in a text such as `3` or `#3`; null when it is none. */
export function numberIn(text: string): number | null {
  const number = Number(/^#?\s*(\d+)$/.exec(text)?.[1] ?? Number.NaN)
  return Number.isSafeInteger(number) ? number : null
}
