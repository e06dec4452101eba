import type { AdminMenu as Entries } from '#app/shared/contract/admin-menu.ts'
import { href } from '#app/shared/model/href.ts'
import { NavLink } from '#app/shared/web/navigation.tsx'

const menus = import.meta.glob<Entries>('../*/admin-contract.ts', {
  eager: true,
  import: 'adminMenu',
})

/** The links of every domain that has an admin contract. */
const ENTRIES = Object.values(menus)
  .flat()
  .sort((a, b) => a.position - b.position)

/** The menu of the back office (spec §2): at the left, on a phone above the page. */
export function AdminMenu() {
  return (
    <nav aria-label="Admin Page" className="surface p-3 print:hidden md:sticky md:top-24">
      <p className="px-3 pt-1 pb-2">
        <a href={href('/dashboard/admin')} className="font-display font-semibold text-xl">
          Admin Page
        </a>
      </p>
      <ul className="flex flex-wrap gap-1 md:flex-col">
        {ENTRIES.map(({ path, label }) => (
          <li key={path}>
            <NavLink
              href={path}
              className="entry aria-[current=page]:bg-neutral aria-[current=page]:text-neutral-content"
            >
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
