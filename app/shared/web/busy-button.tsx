import type { ButtonHTMLAttributes } from 'react'

/**
 * A submit button that does nothing and shows a spinner while busy. Its width does not change. While busy
 * it is not `disabled`, which would take the keyboard's focus from it. Before hydration `early-taps.ts`
 * keeps what is submitted.
 */
export function BusyButton({
  busy,
  children,
  className = 'btn-primary',
  onClick,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { busy: boolean }) {
  return (
    <button
      {...rest}
      aria-busy={busy}
      aria-disabled={busy}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
      className={`btn needs-script relative aria-disabled:opacity-60 ${className}`}
    >
      <span className={busy ? 'opacity-0' : undefined}>{children}</span>
      {busy && <span aria-hidden="true" className="loading loading-spinner absolute" />}
    </button>
  )
}
