import { atomWithStorage } from 'jotai/utils'
import { SESSION_KEY } from '#app/shared/web/browser-call.ts'
import type { User } from '../contract.ts'

export type Session = { user: User | null; token: string }

export const SIGNED_OUT: Session = { user: null, token: '' }

/**
 * Who is signed in in this browser (spec §3), in every tab. The server renders every page as for
 * a guest, so the first render has nobody, and the stored session comes right after it.
 */
export const sessionAtom = atomWithStorage<Session>(SESSION_KEY, SIGNED_OUT)
