import { useAtomValue } from 'jotai'
import { plainWordsAtom } from './toast.ts'

/** What toasts would say if they could be drawn. */
export function PlainWords() {
  const all = useAtomValue(plainWordsAtom)
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
