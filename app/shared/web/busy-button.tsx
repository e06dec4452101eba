import type { ButtonHTMLAttributes } from 'react'
import { useHydrated } from './storage/use-hydrated.ts'

/**
 * A submit button that is disabled and shows a spinner while busy, and is disabled before
 * hydration. Its width does not change.
 */
export function BusyButton({
  busy,
  children,
  className = 'btn-primary',
  disabled = false,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { busy: boolean }) {
  const hydrated = useHydrated()
  return (
    <button
      {...rest}
      aria-busy={busy}
      disabled={busy || disabled || !hydrated}
      className={`btn relative ${className}`}
    >
      <span className={busy ? 'opacity-0' : undefined}>{children}</span>
      {busy && <span aria-hidden="true" className="loading loading-spinner absolute" />}
    </button>
  )
}
