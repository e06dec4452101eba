import { useRevalidator } from 'react-router'

/** Stands in the place of what could not be loaded, after the toast that said so. */
export function NotLoaded() {
  const { revalidate, state } = useRevalidator()
  return (
    <div className="surface space-y-4 px-6 py-16 text-center">
      <p className="text-lg">This could not be loaded.</p>
      <button
        type="button"
        disabled={state === 'loading'}
        onClick={revalidate}
        className="btn btn-primary"
      >
        Try again
      </button>
    </div>
  )
}
