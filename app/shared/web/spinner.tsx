/** Something is on its way. */
export function Spinner({ label = 'Loading' }: { label?: string }) {
  return (
    <div role="status" className="grid min-h-96 place-items-center">
      <span aria-hidden="true" className="loading loading-spinner loading-lg text-primary" />
      <span className="sr-only">{label}</span>
    </div>
  )
}
