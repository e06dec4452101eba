import { isRouteErrorResponse } from 'react-router'

/** The HTTP status that an error of a page stands for. */
export const statusOf = (error: unknown): number =>
  isRouteErrorResponse(error) ? error.status : 500

const textOf = (error: unknown, name: 'message' | 'requestId'): string | null => {
  const text: unknown = isRouteErrorResponse(error) ? error.data?.[name] : null
  return typeof text === 'string' ? text : null
}

/** The server's sentence for a person, where a failed call of the page brought one. */
export const sentenceOf = (error: unknown) => textOf(error, 'message')

/** What the shop's log knows a failed call of the page by, where the shop failed. */
export const referenceOf = (error: unknown) => textOf(error, 'requestId')
