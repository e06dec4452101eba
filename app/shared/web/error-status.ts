import { isRouteErrorResponse } from 'react-router'

/** The HTTP status that an error of a page stands for. */
export const statusOf = (error: unknown): number =>
  isRouteErrorResponse(error) ? error.status : 500
