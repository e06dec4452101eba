import type { ButtonHTMLAttributes } from 'react'
import { useHydrated } from './storage/use-hydrated.ts'

/**
 * A button that shows that it is at work, and cannot be pressed then, nor before the page can
 * answer. It keeps its width.
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
