import { toast } from 'react-hot-toast'
import { said } from '../call.ts'

/** For what a page can be shown without: a failure is told, and gives null. */
export const loadOrTell = <T>(loading: Promise<T>, failed: string): Promise<T | null> =>
  loading.catch((error) => {
    toast.error(said(error, failed))
    return null
  })
