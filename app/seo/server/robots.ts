import { API_PREFIX } from '#app/shared/contract/endpoint.ts'

/**
 * robots.txt. Filtered lists are not named: a crawler has to read their `noindex`. Pictures of
 * products and of the settings are below the API's path.
 */
export const robotsText = (url: string | null) =>
  [
    'User-agent: *',
    `Allow: ${API_PREFIX}/product/product-photo/`,
    `Allow: ${API_PREFIX}/seo/product-picture/`,
    `Allow: ${API_PREFIX}/settings/picture/`,
    'Disallow: /api/',
    'Disallow: /dashboard/',
    ...(url === null ? [] : ['', `Sitemap: ${url}/sitemap.xml`]),
    '',
  ].join('\n')
