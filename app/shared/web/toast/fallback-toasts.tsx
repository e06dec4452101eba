import { useAtomValue } from 'jotai'
import { fallbackToastsAtom } from './toast.ts'

/** What toasts would say if they could be drawn. */
export function FallbackToasts() {
  const all = useAtomValue(fallbackToastsAtom)
  return (
    <div role="status" className="toast toast-top toast-center z-50 w-full max-w-md">
      {all.map(({ id, words }) => (
        <p key={id} className="alert whitespace-normal shadow-lg">
          {words}
        </p>
      ))}
    </div>
  )
}
