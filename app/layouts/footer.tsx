import { Link } from 'react-router'
import { useShop } from '#app/shared/web/use-shop.ts'

/** Copyright and links to the information pages (spec §2). */
export function Footer() {
  const { name } = useShop()
  return (
    <footer className="mt-20 print:hidden border-base-300 border-t bg-base-100">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-8 gap-y-4 px-4 py-8 lg:px-8">
        <p className="text-base-content/75 text-sm">Copyright © {name}. All rights reserved.</p>
        <nav aria-label="About the shop" className="flex gap-6 text-sm">
          <Link to="/about" className="link link-hover">
            About
          </Link>
          <Link to="/contact" className="link link-hover">
            Contact
          </Link>
          <Link to="/policy" className="link link-hover">
            Policy
          </Link>
        </nav>
      </div>
    </footer>
  )
}
