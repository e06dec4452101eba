import { useRevalidator } from 'react-router'

/** Loads the page once more. It keeps the keyboard's focus while it does. */
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
