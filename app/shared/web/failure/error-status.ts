import { type data, isRouteErrorResponse } from 'react-router'

/** Data thrown by a loader, before the router wraps it in an error response. */
export const isThrownData = (error: unknown): error is ReturnType<typeof data<unknown>> =>
  error instanceof Object && 'init' in error && 'data' in error

const bodyOf = (error: unknown): unknown =>
  isRouteErrorResponse(error) || isThrownData(error) ? error.data : null

/** The HTTP status of a page's error. */
export function statusOf(error: unknown): number {
  if (isRouteErrorResponse(error)) return error.status
  return (isThrownData(error) && error.init?.status) || 500
}

const fieldOf = (error: unknown, name: 'message' | 'requestId'): string | null => {
  const body = bodyOf(error)
  const text = body instanceof Object && name in body ? Reflect.get(body, name) : null
  return typeof text === 'string' ? text : null
}

/** The server's message of a failed call. */
export const sentenceOf = (error: unknown) => fieldOf(error, 'message')

/** The request id of a failed call, if the shop failed. */
export const referenceOf = (error: unknown) => fieldOf(error, 'requestId')

/** The message when the server does not answer. */
export const UNREACHABLE = 'The shop cannot be reached just now. Please try again.'

const TEXTS: Partial<Record<number, string>> = {
  404: 'Oops ! Page Not Found',
  503: UNREACHABLE,
}

/** The message of an error: the one of its status, else the given one, else the server's. */
export const textOf = (
  error: unknown,
  status = statusOf(error),
  serverMessage?: string | null,
): string => TEXTS[status] ?? serverMessage ?? sentenceOf(error) ?? 'Something went wrong'

/** Whether the same request may succeed a moment later. */
export const isTemporary = (status: number) => status >= 500 || status === 429
