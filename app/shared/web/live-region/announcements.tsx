import { atom } from 'nanostores'
import { useStore } from '../storage/use-store.ts'

/** The live region may be moving into a dialog or out of it, and has to be there before its text. */
const DELAY_MS = 100
const LIFETIME_MS = 1000

const announcementsAtom = atom<{ id: number; text: string }[]>([])
let lastId = 0

/** Adds a text to the live region, for a moment. */
export function announce(text: string) {
  lastId += 1
  const one = { id: lastId, text }
  setTimeout(() => announcementsAtom.set([...announcementsAtom.get(), one]), DELAY_MS)
  setTimeout(
    () => announcementsAtom.set(announcementsAtom.get().filter(({ id }) => id !== one.id)),
    DELAY_MS + LIFETIME_MS,
  )
}

/** The texts of the live region that are only heard. */
export function Announcements() {
  return (
    <div className="sr-only">
      {useStore(announcementsAtom).map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}
