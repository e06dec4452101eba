import BellIcon from 'lucide-react/icons/bell'
import { useId } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { useStore } from '#app/shared/web/storage.ts'
import { loadWaiting, waitingAtom } from './waiting.ts'

const MAX_SHOWN = 99

/** A button with the number of things that wait for somebody, which opens their list. */
export function Bell() {
  const id = useId()
  const here = useLocation()
  const { key } = useNavigation().location ?? here
  const { entries, hasFailed } = useStore(waitingAtom)
  const sum = entries?.reduce((total, { count }) => total + count, 0) ?? 0
  const shown = sum > MAX_SHOWN ? `${MAX_SHOWN}+` : sum
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        onClick={() => void loadWaiting()}
        aria-label={`Waiting for you: ${shown}`}
        className="btn btn-ghost min-w-10 gap-1 px-1"
      >
        <BellIcon aria-hidden="true" className="size-4" />
        {sum > 0 && (
          <span aria-hidden="true" className="badge badge-xs badge-primary">
            {shown}
          </span>
        )}
      </button>
      {/* another one with each navigation, so that it is closed */}
      <div key={key} id={id} popover="auto" className="bell-list surface p-2 shadow-xl">
        <h2 className="p-2 font-semibold">Waiting for you</h2>
        {hasFailed && (
          <p role="alert" className="p-2 text-error">
            What waits could not be loaded.
          </p>
        )}
        {entries?.length === 0 && <p className="p-2">Nothing. All is done.</p>}
        {entries?.map(({ count, what, href }) => (
          <a key={href} href={href} className="menu-entry">
            <strong className="min-w-8 text-end">{count.toLocaleString('en-US')}</strong> {what}
          </a>
        ))}
      </div>
    </>
  )
}
