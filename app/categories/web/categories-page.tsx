import { useRouteLoaderData } from 'react-router'
import { href } from '#app/shared/model/href.ts'
import { PageHead } from '#app/shared/web/head.tsx'
import { Icon } from '#app/shared/web/pictures.tsx'
import { type Category, categoryPath } from '../contract.ts'

/** The ten tile styles, used in turn (spec §2). */
const STYLES = [
  'bg-primary text-primary-content',
  'bg-accent/30',
  'bg-secondary text-secondary-content',
  'bg-info/15',
  'bg-accent text-accent-content',
  'bg-secondary/15',
  'bg-info text-info-content',
  'bg-primary/15',
  'bg-neutral text-neutral-content',
  'bg-success/20',
]

/** All categories as coloured tiles (spec §2). */
export default function CategoriesPage() {
  const categories =
    useRouteLoaderData<{ categories: Category[] }>('layouts/storefront-layout')?.categories ?? []
  return (
    <section className="mx-auto max-w-7xl px-4 pt-12 lg:px-8">
      <PageHead
        title="All Categories"
        description="All categories of products in this shop."
        path={href('/categories')}
      />
      <h1 className="mb-8 text-4xl sm:text-5xl">All Categories</h1>
      <ul className="grid grid-cols-2 gap-3 sm:gap-5 md:grid-cols-3 lg:grid-cols-4">
        {categories.map((category, at) => (
          <li key={category._id}>
            <a
              href={categoryPath(category)}
              data-prefetch=""
              className={`flex h-full min-h-40 flex-col justify-between rounded-box p-5 transition-transform motion-safe:hover:-translate-y-1 ${STYLES[at % STYLES.length]}`}
            >
              <Icon name="right" className="size-6 self-end" />
              <span
                dir="auto"
                className="wrap-anywhere hyphenated font-display font-semibold text-xl sm:text-2xl"
              >
                {category.name}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
