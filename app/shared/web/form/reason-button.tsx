import type { ButtonHTMLAttributes } from 'react'
import { toast } from '../toast.tsx'

export type ReasonButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** Why it cannot be pressed now, as a sentence; null when it can. */
  reason?: string | null
}

/**
 * A button that says why it cannot be pressed: to screen readers, under the pointer, and when it is pressed. It is
 * not `disabled`, which would take the keyboard's focus from it.
 */
export const ReasonButton = ({
  reason = null,
  className = '',
  onClick,
  ...button
}: ReasonButtonProps) => (
  <button
    type="button"
    {...button}
    {...(reason !== null && { 'aria-disabled': true, 'aria-description': reason, title: reason })}
    onClick={(event) => {
      if (reason === null) return onClick?.(event)
      event.preventDefault()
      toast(reason, { id: reason })
    }}
    className={`btn aria-disabled:opacity-60 ${className}`}
  />
)
