import { href } from '#app/shared/model/href.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { MessageSwitch, ThemeSwitch } from '#app/shared/web/theme.tsx'

/** Copyright and links to the information pages (spec §2). */
export function Footer() {
  const { name, legalPages } = useShop()
  return (
    <footer className="mt-20 print:hidden border-base-300 border-t bg-base-100">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center justify-between gap-x-8 gap-y-4 px-4 py-8 lg:px-8">
        <p className="wrap-anywhere text-base-content/75 text-sm">
          Copyright © {name}. All rights reserved.
        </p>
        <nav aria-label="About the shop" className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
          <a href={href('/about')} className="link link-hover">
            About
          </a>
          <a href={href('/contact')} className="link link-hover">
            Contact
          </a>
          <a href={href('/policy')} className="link link-hover">
            Policy
          </a>
          {legalPages.map((page) => (
            <a
              key={page}
              href={href('/legal/:page', { page })}
              className="link link-hover capitalize"
            >
              {page}
            </a>
          ))}
        </nav>
        <MessageSwitch />
        <ThemeSwitch />
      </div>
    </footer>
  )
}
