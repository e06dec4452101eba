import type { ReactNode } from 'react'

type LinkProps = { to: string; isCurrent?: boolean; className: string; children: ReactNode }

/** A link to another choice of the same list. */
export const ChoiceLink = ({ to, isCurrent, className, children }: LinkProps) => (
  <a
    href={to}
    data-prevent-scroll-reset=""
    aria-current={isCurrent ? 'true' : undefined}
    className={`btn btn-sm ${className}`}
  >
    {children}
  </a>
)
