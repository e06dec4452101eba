import { useRevalidator } from 'react-router'
import { CATEGORY_GONE } from '#app/products/admin-contract.ts'
import { CallFailure } from '#app/shared/web/call.ts'

/**
 * Reloads the categories when a save failed because the selected one was deleted; rethrows the
 * failure.
 */
export function useReloadIfGone() {
  const { revalidate } = useRevalidator()
  return (error: unknown): never => {
    if (error instanceof CallFailure && error.serverMessage === CATEGORY_GONE) void revalidate()
    throw error
  }
}
