import { useAtomValue } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { data, isRouteErrorResponse, useRevalidator } from 'react-router'
import { sessionAtom } from '#app/accounts/web/session.ts'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { isRefused } from '#app/shared/web/call.ts'
import { callContext, type LoadArgs } from '#app/shared/web/load.ts'

/** What the guards ask the server: a call that needs nothing but the stored token. */
type Check = Endpoint & { params?: undefined; query?: undefined; body?: undefined }

/** What came of asking; `unknown` where the server gave no answer. */
type Entry = 'granted' | 'unknown'

/** Asks the server whether the stored session may enter (spec §2). A no is thrown. */
export const enter = ({ context }: Pick<LoadArgs, 'context'>, check: Check): Promise<Entry> =>
  context
    .get(callContext)(check)
    .then(
      () => 'granted',
      (error) => {
        if (isRefused(error)) throw data(null, { status: 401 })
        return 'unknown'
      },
    )

/** Whether to show what is guarded: who was let in stays in until the server says no. */
export function useEntered(entry: Entry): boolean {
  const [entered, setEntered] = useState(false)
  if (entry === 'granted' && !entered) setEntered(true)
  return entered || entry === 'granted'
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
