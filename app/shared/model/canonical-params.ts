/** Returns the known parameters of a page's URL in canonical form, without the others. */
type CanonicalParams = (params: URLSearchParams) => URLSearchParams

/**
 * The `canonicalParams` of a page: `export const handle = { canonicalParams: (params) => … }`. A
 * page without it has no parameters.
 */
export function canonicalParamsOf(handle: unknown): CanonicalParams {
  const { canonicalParams } = Object(handle)
  return typeof canonicalParams === 'function' ? canonicalParams : () => new URLSearchParams()
}
