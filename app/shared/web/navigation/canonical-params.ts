/** Spells what a page understands of its address in one way, and leaves the rest out. */
export type CanonicalParams = (params: URLSearchParams) => URLSearchParams

/** What a page says of its address: `export const handle = { spell: (params) => … }`; else it understands nothing. */
export function canonicalParamsOf(handle: unknown): CanonicalParams {
  const { canonicalParams } = Object(handle)
  return typeof canonicalParams === 'function' ? canonicalParams : () => new URLSearchParams()
}
