import type { ComponentProps } from 'react'
import { useLocation } from 'react-router'

/** A link of a menu; `aria-current` marks the link to the current page. */
export function NavLink(props: ComponentProps<'a'> & { href: string }) {
  const { pathname } = useLocation()
  return <a aria-current={props.href === pathname ? 'page' : undefined} {...props} />
}
