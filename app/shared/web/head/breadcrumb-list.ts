import type { BreadcrumbList, WithContext } from 'schema-dts'

/** A page on the way to another one. */
export type Crumb = { name: string; path: string }

/**
 * The way to a page as structured data: the home page, and the pages below it, the page itself last.
 * Empty without the shop's URL, because the links must be absolute.
 */
export function breadcrumbList(url: string | null, crumbs: Crumb[]): WithContext<BreadcrumbList>[] {
  if (url === null) return []
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'BreadcrumbList',
      itemListElement: [{ name: 'Home', path: '/' }, ...crumbs].map(({ name, path }, at) => ({
        '@type': 'ListItem',
        position: at + 1,
        name,
        item: url + path,
      })),
    },
  ]
}
