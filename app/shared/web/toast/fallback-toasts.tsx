import { useStore } from '../storage/use-store.ts'
import { fallbackToastsAtom } from './toast.ts'

/** Toasts rendered without the toast library, when it could not be loaded. */
export function FallbackToasts() {
  const all = useStore(fallbackToastsAtom)
  return (
    <div role="status" className="toast toast-top toast-center z-50 w-full max-w-md print:hidden">
      {all.map(({ id, words }) => (
        <p key={id} className="alert whitespace-normal shadow-lg">
          {words}
        </p>
      ))}
    </div>
  )
}
