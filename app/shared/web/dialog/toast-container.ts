import { atom } from 'jotai'

/** The open dialogs, the uppermost last. */
export const openDialogsAtom = atom<HTMLDialogElement[]>([])

/** The dialog into which toasts belong; undefined where none is open. */
export const toastContainerAtom = atom((get) => get(openDialogsAtom).at(-1))
