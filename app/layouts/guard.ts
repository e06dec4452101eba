import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { data, isRouteErrorResponse, useRevalidator } from 'react-router'
import { sessionAtom } from '#app/accounts/web/session.ts'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { callContext, type LoadArgs } from '#app/shared/web/load.ts'

/** What the guards ask the server: a call that needs nothing but the stored token. */
type Check = Endpoint & { params?: undefined; query?: undefined; body?: undefined }

/** Asks the server whether the stored session may enter; whatever is not a yes is a no (spec §2). */
export const enter = async ({ context }: Pick<LoadArgs, 'context'>, check: Check) => {
  await context
    .get(callContext)(check)
    .catch(() => {
      throw data(null, { status: 401 })
    })
  return null
}

/** The guard's no, or that of a page inside, whose session ended meanwhile. */
export const isRefusal = (error: unknown) =>
  isRouteErrorResponse(error) && (error.status === 401 || error.status === 403)

/** Asks again as soon as this browser's session changes, in whichever tab. */
export function useRecheck() {
  const { token } = useAtomValue(sessionAtom)
  const { revalidate } = useRevalidator()
  const checked = useRef(token)
  useEffect(() => {
    if (checked.current === token) return
    checked.current = token
    void revalidate()
  }, [token, revalidate])
}
