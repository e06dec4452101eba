import { CallFailure, messageOf } from '../call.ts'
import { toast } from '../toast/toast.ts'
import { log } from './log.ts'

/** For optional data of a page: a failure shows a toast and returns null. */
export const loadOrToast = <T>(loading: Promise<T>, failed: string): Promise<T | null> =>
  loading.catch((error) => {
    toast.error(messageOf(error, failed))
    return null
  })

/** The same, where a failed call is only logged (spec §8); other errors are rethrown. */
export const loadOrLog = <T>(loading: Promise<T>): Promise<T | null> =>
  loading.catch((error) => {
    if (!(error instanceof CallFailure)) throw error
    log(error)
    return null
  })

/** For the one thing that a page is about: a failed call is logged (spec §8), and returned for the page. */
export const loadOrFailure = <T>(
  loading: Promise<T>,
): Promise<{ loaded: T; failure: null } | { loaded: null; failure: CallFailure }> =>
  loading.then(
    (loaded) => ({ loaded, failure: null }),
    (error) => {
      if (!(error instanceof CallFailure)) throw error
      log(error)
      return { loaded: null, failure: error }
    },
  )
