import { atom } from 'jotai'

/** The open dialog, into which toasts belong; null where there is none. */
export const toastPlaceAtom = atom<HTMLDialogElement | null>(null)
