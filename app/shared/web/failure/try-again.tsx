import { useRevalidator } from 'react-router'

/** Reloads the page's data. The button keeps the keyboard's focus. */
export function TryAgain() {
  const { revalidate, state } = useRevalidator()
  return (
    <button
      type="button"
      aria-disabled={state === 'loading'}
      onClick={revalidate}
      className="btn btn-primary needs-script"
    >
      Try again
    </button>
  )
}
