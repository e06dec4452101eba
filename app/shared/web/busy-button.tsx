import type { ButtonHTMLAttributes } from 'react'
import { useHydrated } from './storage/use-hydrated.ts'

/**
 * A submit button that does nothing and shows a spinner while busy, and is disabled before hydration.
 * Its width does not change. While busy it is not `disabled`, which would take the keyboard's focus
 * from it.
 */
export function BusyButton({
  busy,
  children,
  className = 'btn-primary',
  disabled = false,
  onClick,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { busy: boolean }) {
  const hydrated = useHydrated()
  return (
    <button
      {...rest}
      aria-busy={busy}
      aria-disabled={busy}
      disabled={disabled || !hydrated}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
      className={`btn relative aria-disabled:opacity-60 ${className}`}
    >
      <span className={busy ? 'opacity-0' : undefined}>{children}</span>
      {busy && <span aria-hidden="true" className="loading loading-spinner absolute" />}
    </button>
  )
}
