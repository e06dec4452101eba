import { ReasonButton, type ReasonButtonProps } from './form/reason-button.tsx'

/**
 * A submit button that does nothing and shows a spinner while busy. Its width does not change. While busy
 * it is not `disabled`, which would take the keyboard's focus from it. With a `reason` it does nothing but say
 * why. Before hydration `head-scripts.ts` keeps what is submitted.
 */
export function BusyButton({
  busy,
  reason,
  children,
  className = 'btn-primary',
  onClick,
  ...rest
}: ReasonButtonProps & { busy: boolean }) {
  return (
    <ReasonButton
      {...rest}
      reason={busy ? null : reason}
      aria-busy={busy}
      aria-disabled={busy}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
      className={`needs-script relative ${className}`}
    >
      <span className={busy ? 'opacity-0' : undefined}>{children}</span>
      {busy && <span aria-hidden="true" className="loading loading-spinner absolute" />}
    </ReasonButton>
  )
}

/**
 * A loading indicator; `text` describes the content. Without scripts it says that scripts are
 * needed.
 */
export function Spinner({ label = 'Loading', text }: { label?: string; text?: string }) {
  return (
    <div role="status" className="grid min-h-96 place-content-center justify-items-center gap-4">
      <span
        aria-hidden="true"
        className="loading loading-spinner loading-lg needs-script text-primary"
      />
      {text ? (
        <p className="needs-script max-w-sm text-pretty text-center text-lg">{text}</p>
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
