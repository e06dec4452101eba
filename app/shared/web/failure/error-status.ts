import { type data, isRouteErrorResponse } from 'react-router'

/** What a loader throws by `data()`, before the router makes an error response of it. */
export const isThrownData = (error: unknown): error is ReturnType<typeof data<unknown>> =>
  error instanceof Object && 'init' in error && 'data' in error

const bodyOf = (error: unknown): unknown =>
  isRouteErrorResponse(error) || isThrownData(error) ? error.data : null

/** The HTTP status that an error of a page stands for. */
export function statusOf(error: unknown): number {
  if (isRouteErrorResponse(error)) return error.status
  return (isThrownData(error) && error.init?.status) || 500
}

const fieldOf = (error: unknown, name: 'message' | 'requestId'): string | null => {
  const body = bodyOf(error)
  const text = body instanceof Object && name in body ? Reflect.get(body, name) : null
  return typeof text === 'string' ? text : null
}

/** The server's sentence for a person, where a failed call of the page brought one. */
export const sentenceOf = (error: unknown) => fieldOf(error, 'message')

/** What the shop's log knows a failed call of the page by, where the shop failed. */
export const referenceOf = (error: unknown) => fieldOf(error, 'requestId')

/** What is said when the server gives no answer. */
export const UNREACHABLE = 'The shop cannot be reached just now. Please try again.'

const TEXTS: Partial<Record<number, string>> = {
  404: 'Oops ! Page Not Found',
  503: UNREACHABLE,
}

/** The sentence that is shown for an error: the status's own, else the one given, else the server's. */
export const textOf = (
  error: unknown,
  status = statusOf(error),
  serverMessage?: string | null,
): string => TEXTS[status] ?? serverMessage ?? sentenceOf(error) ?? 'Something went wrong'

/** What the server could not do, or not so soon, it may do a moment later. */
export const isTemporary = (status: number) => status >= 500 || status === 429
