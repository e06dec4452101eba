import { atom } from 'nanostores'
import { useStore } from '../storage/use-store.ts'

/** The open dialogs, the topmost last. */
export const openDialogsAtom = atom<HTMLDialogElement[]>([])

/** The dialog that shows the toasts; undefined when none is open. */
export const useToastContainer = () => useStore(openDialogsAtom).at(-1)
