import { atom } from 'jotai'

/** The open dialogs, the topmost last. */
export const openDialogsAtom = atom<HTMLDialogElement[]>([])

/** The dialog that shows the toasts; undefined when none is open. */
export const toastContainerAtom = atom((get) => get(openDialogsAtom).at(-1))
