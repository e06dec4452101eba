import type { ReactNode } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { Icon } from '#app/shared/web/icon.tsx'

/**
 * A button and the menu it opens, by the browser's own popover: Escape and a click outside close
 * it, and it works without a script. Going anywhere closes it too.
 */
export function Dropdown({
  id,
  label,
  children,
}: {
  id: string
  label: ReactNode
  children: ReactNode
}) {
  const here = useLocation()
  // as soon as a way is chosen, not only when it has been gone
  const { key } = useNavigation().location ?? here
  return (
    <>
      <button type="button" popoverTarget={id} className="way" style={{ anchorName: `--${id}` }}>
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
