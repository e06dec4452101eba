import { type Category, categoryPath } from '#app/categories/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { NavLink } from '#app/shared/web/navigation.tsx'
import { Icon } from '#app/shared/web/pictures.tsx'
import { Dropdown } from './dropdown.tsx'

/** All Categories, and one entry for each category (spec §2). */
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
          <NavLink href={href('/categories')} className="entry font-semibold">
            All Categories
          </NavLink>
        </li>
        {categories.map((category) => (
          <li key={category._id}>
            <NavLink href={categoryPath(category)} className="entry">
              {category.name}
            </NavLink>
          </li>
        ))}
      </Dropdown>
    </li>
  )
}
