import { CallFailure, messageOf } from '../call.ts'
import { toast } from '../toast/toast.ts'
import { log } from './log.ts'

/** For what a page can be shown without: a failure is told, and gives null. */
export const loadOrToast = <T>(loading: Promise<T>, failed: string): Promise<T | null> =>
  loading.catch((error) => {
    toast.error(messageOf(error, failed))
    return null
  })

/** The same where a failure of a call is logged only (spec §8); whatever else is thrown goes on. */
export const loadOrLog = <T>(loading: Promise<T>): Promise<T | null> =>
  loading.catch((error) => {
    if (!(error instanceof CallFailure)) throw error
    log(error)
    return null
  })
