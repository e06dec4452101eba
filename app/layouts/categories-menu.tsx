import { NavLink } from 'react-router'
import type { Category } from '#app/categories/contract.ts'
import { Icon } from '#app/shared/web/icon.tsx'
import { Dropdown } from './dropdown.tsx'

/** All Categories, and one entry for each (spec §2). */
export function CategoriesMenu({ categories }: { categories: Category[] }) {
  return (
    <li className="way-cell">
      <Dropdown
        id="categories-menu"
        label={
          <>
            <Icon name="shelves" className="size-5 md:hidden" />
            Categories
          </>
        }
      >
        <li>
          <NavLink to="/categories" className="entry font-semibold">
            All Categories
          </NavLink>
        </li>
        {categories.map(({ _id, name, slug }) => (
          <li key={_id}>
            <NavLink to={`/category/${encodeURIComponent(slug)}`} className="entry">
              {name}
            </NavLink>
          </li>
        ))}
      </Dropdown>
    </li>
  )
}
