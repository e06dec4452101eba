import type { ReactNode } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { Icon } from '#app/shared/web/pictures.tsx'

/**
 * A button with a menu, by the browser's popover: Escape and a click outside close it, and it works
 * without scripts. Every navigation closes it, too.
 */
export function Dropdown({
  id,
  label,
  className = '',
  children,
}: {
  id: string
  className?: string
  label: ReactNode
  children: ReactNode
}) {
  const here = useLocation()
  // closes when a link is chosen, before the navigation ends
  const { key } = useNavigation().location ?? here
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        className={`way ${className}`}
        style={{ anchorName: `--${id}` }}
      >
        {label}
        <Icon name="down" className="hidden size-4 md:block" />
      </button>
      <ul
        key={key}
        id={id}
        popover="auto"
        className="pop surface"
        style={{ positionAnchor: `--${id}` }}
      >
        {children}
      </ul>
    </>
  )
}
