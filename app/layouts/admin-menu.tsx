import { Link, NavLink } from 'react-router'

const ENTRIES = [
  { to: 'create-category', label: 'Create Category' },
  { to: 'create-product', label: 'Create Product' },
  { to: 'products', label: 'Products' },
  { to: 'orders', label: 'Orders' },
  { to: 'payments', label: 'Payments' },
  { to: 'users', label: 'Users' },
  { to: 'history', label: 'History' },
  { to: 'import-export', label: 'Import and export' },
]

/** The ways through the back office (spec §2): at the left, on a phone in rows above the page. */
export function AdminMenu() {
  return (
    <nav aria-label="Admin Page" className="surface p-3 md:sticky md:top-24">
      <p className="px-3 pt-1 pb-2">
        <Link to="/dashboard/admin" className="font-display font-semibold text-xl">
          Admin Page
        </Link>
      </p>
      <ul className="flex flex-wrap gap-1 md:flex-col">
        {ENTRIES.map(({ to, label }) => (
          <li key={to}>
            <NavLink
              to={`/dashboard/admin/${to}`}
              end
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
