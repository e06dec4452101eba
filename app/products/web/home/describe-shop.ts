import type { Organization, SearchAction, WebSite, WithContext } from 'schema-dts'
import { pictureUrl } from '#app/settings/contract.ts'
import { href } from '#app/shared/model/href.ts'
import type { ShopSettings } from '#app/shared/model/shop-settings.ts'

/** The placeholder of a search is a property of Google's, which schema.org describes in words only. */
type Search = SearchAction & { 'query-input': string }

/**
 * The shop as structured data: its website with the search, and its organization. Nothing without
 * the shop's URL, because their links must be absolute.
 */
export function describeShop(
  shop: ShopSettings,
): [WithContext<WebSite>, WithContext<Organization>] | [] {
  const { name, tagline, url } = shop
  if (url === null) return []
  const search: Search = {
    '@type': 'SearchAction',
    target: {
      '@type': 'EntryPoint',
      urlTemplate: `${url}${href('/search')}?q={search_term_string}`,
    },
    'query-input': 'required name=search_term_string',
  }
  const { logo, email, phone, address } = shop
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'WebSite',
      name,
      ...(tagline && { description: tagline }),
      url: `${url}/`,
      potentialAction: search,
    },
    {
      '@context': 'https://schema.org',
      '@type': 'Organization',
      name,
      url: `${url}/`,
      logo: url + (logo ? pictureUrl(logo.id, 800) : '/icon-512.png'),
      ...(email && { email }),
      ...(phone && { telephone: phone }),
      ...(address && { address }),
    },
  ]
}
