import { useRouteLoaderData } from 'react-router'
import { type Category, categoryPath } from '#app/categories/contract.ts'
import { wordsIn } from '#app/products/model.ts'

/** Whether each typed word is the beginning of a word of the name. */
function isNamed({ name }: Category, keyword: string): boolean {
  const typed = wordsIn(keyword)
  const words = wordsIn(name)
  const isWord = (begun: string) => begun.length > 2 && words.some((word) => word.startsWith(begun))
  return typed.length > 0 && typed.every(isWord)
}

/** Links to categories whose names match the keyword; their products need not contain it. */
export function NamedCategories({ keyword }: { keyword: string }) {
  const all =
    useRouteLoaderData<{ categories: Category[] }>('layouts/storefront-layout')?.categories ?? []
  const named = all.filter((category) => isNamed(category, keyword))
  if (named.length === 0) return null
  return (
    <ul aria-label="Categories" className="mt-3 flex flex-wrap gap-2">
      {named.map((category) => (
        <li key={category._id}>
          <a
            href={categoryPath(category)}
            className="btn btn-sm btn-outline wrap-anywhere h-auto min-h-8 shrink border-base-300"
          >
            {category.name}
          </a>
        </li>
      ))}
    </ul>
  )
}
