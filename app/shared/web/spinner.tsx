/** Something is on its way; where it takes a script and there is none, it says so. */
export function Spinner({ label = 'Loading' }: { label?: string }) {
  return (
    <div role="status" className="grid min-h-96 place-items-center">
      <span
        aria-hidden="true"
        className="loading loading-spinner loading-lg needs-script text-primary"
      />
      <span className="needs-script sr-only">{label}</span>
      <noscript>
        <p className="p-4 text-center text-lg">
          This page needs JavaScript. Please switch it on in your browser.
        </p>
      </noscript>
    </div>
  )
}
