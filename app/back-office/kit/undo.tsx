import { atom } from 'nanostores'
import { useEffect, useEffectEvent, useState } from 'react'
import { useRevalidator } from 'react-router'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { toast } from '#app/shared/web/toast.tsx'

/** How long a change can be taken back, in milliseconds. */
export const UNDO_MS = 10_000

type Notice = {
  key: number
  message: string
  undo: () => Promise<{ message: string }>
  /** E-mails are sent when the time is over. */
  mails: boolean
}

const noticesAtom = atom<Notice[]>([])

const dismiss = (key: number) =>
  noticesAtom.set(noticesAtom.get().filter((notice) => notice.key !== key))

let lastKey = 0

/** Says what was changed, with a button that takes it back. */
export function offerUndo(message: string, undo: Notice['undo'], mails = false) {
  lastKey += 1
  noticesAtom.set([...noticesAtom.get(), { key: lastKey, message, undo, mails }])
}

/** The changes of the last seconds that can be taken back. They stay on other pages, too. */
export const UndoNotices = () => (
  <div
    role="status"
    className="fixed inset-x-0 bottom-20 z-40 flex flex-col items-center gap-2 px-4 md:bottom-6 print:hidden"
  >
    {useStore(noticesAtom).map((notice) => (
      <UndoNotice key={notice.key} notice={notice} />
    ))}
  </div>
)

function UndoNotice({ notice: { key, message, undo, mails } }: { notice: Notice }) {
  const { revalidate } = useRevalidator()
  // a notice under the pointer, or with the focus, stays, unless e-mails are sent meanwhile
  const [isRead, setRead] = useState(false)
  const { busy, form } = useSubmit(
    async () => {
      const { message } = await undo().finally(revalidate)
      toast.success(message)
      dismiss(key)
    },
    { failed: 'The change could not be undone.', refused: revalidate },
  )
  const isHeld = isRead && !mails
  const end = useEffectEvent(() => dismiss(key))
  useEffect(() => {
    if (isHeld || busy) return
    const timer = setTimeout(end, UNDO_MS)
    return () => clearTimeout(timer)
  }, [isHeld, busy])
  return (
    <form
      {...form}
      onPointerEnter={() => setRead(true)}
      onPointerLeave={() => setRead(false)}
      onFocus={() => setRead(true)}
      onBlur={() => setRead(false)}
      className="surface flex max-w-lg items-center gap-3 px-3 py-2 shadow-lg"
    >
      <p className="wrap-anywhere min-w-0">{message}</p>
      <BusyButton type="submit" busy={busy} className="btn-sm">
        Undo
      </BusyButton>
    </form>
  )
}
