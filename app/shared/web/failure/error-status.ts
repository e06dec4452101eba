import { isRouteErrorResponse } from 'react-router'

/** The HTTP status that an error of a page stands for. */
export const statusOf = (error: unknown): number =>
  isRouteErrorResponse(error) ? error.status : 500

/** The server's sentence for a person, where a failed call of the page brought one. */
export function sentenceOf(error: unknown): string | null {
  const message: unknown = isRouteErrorResponse(error) ? error.data?.message : null
  return typeof message === 'string' ? message : null
}
