/**
 * A loading indicator; `says` describes the content. Without scripts it says that scripts are
 * needed.
 */
export function Spinner({ label = 'Loading', says }: { label?: string; says?: string }) {
  return (
    <div role="status" className="grid min-h-96 place-content-center justify-items-center gap-4">
      <span
        aria-hidden="true"
        className="loading loading-spinner loading-lg needs-script text-primary"
      />
      {says ? (
        <p className="needs-script max-w-sm text-pretty text-center text-lg">{says}</p>
      ) : (
        <span className="needs-script sr-only">{label}</span>
      )}
      <noscript>
        <p className="p-4 text-center text-lg">
          This page needs JavaScript. Please switch it on in your browser.
        </p>
      </noscript>
    </div>
  )
}
