import { useEffect, useRef, useState } from 'react'
import { data, isRouteErrorResponse, useRevalidator } from 'react-router'
import { sessionAtom } from '#app/accounts/web/session.ts'
import { Spinner } from '#app/shared/web/busy.tsx'
import { type Call, isRefused } from '#app/shared/web/call.ts'
import { PageHead } from '#app/shared/web/head.tsx'
import { callContext, type LoadArgs } from '#app/shared/web/load.ts'
import { useStore } from '#app/shared/web/storage.ts'

/** The result of the check; `unknown` when the server did not answer. */
type Entry = 'granted' | 'unknown'

/** Checks by a call of the server whether the stored session may enter (spec §2). A refusal is thrown. */
export const enter = (
  { context }: Pick<LoadArgs, 'context'>,
  check: (call: Call) => Promise<unknown>,
): Promise<Entry> =>
  check(context.get(callContext)).then(
    () => 'granted',
    (error) => {
      if (isRefused(error)) throw data(null, { status: 401 })
      return 'unknown'
    },
  )

/** Shown during the first check: as high as the window, like the content that follows, so that the footer does not move. */
export const Checking = ({ title }: { title: string }) => (
  <div className="min-h-dvh">
    <PageHead title={title} hidden />
    <Spinner label="Checking" />
  </div>
)

/** Whether to show the guarded page: once granted, it stays until the server refuses. */
export function useEntered(entry: Entry): boolean {
  const [entered, setEntered] = useState(false)
  if (entry === 'granted' && !entered) setEntered(true)
  return entered || entry === 'granted'
}

/** Whether an error is the guard's refusal, or that of a page whose session has ended. */
export const isRefusal = (error: unknown) =>
  isRouteErrorResponse(error) && (error.status === 401 || error.status === 403)

/** Checks again when this browser's session changes, in any tab. */
export function useRecheck() {
  const { token } = useStore(sessionAtom)
  const { revalidate } = useRevalidator()
  const checked = useRef(token)
  useEffect(() => {
    if (checked.current === token) return
    checked.current = token
    void revalidate()
  }, [token, revalidate])
}
