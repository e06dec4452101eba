import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { href } from '#app/shared/model/href.ts'
import type { ShopFacts } from './shop-facts.ts'

/** The background of surfaces in the light and in the dark theme. */
const BACKGROUNDS = { light: '#fffdf8', dark: '#2a211b' }

const icon = (size: number, purpose: 'any' | 'maskable') => ({
  src: `/icon${purpose === 'maskable' ? '-maskable' : ''}-${size}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})

const DEFAULT_ICON = { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }

/** The web app manifest, with which the shop can be put on a home screen. */
export function manifestOf({ name, isDark, logo }: ShopFacts): string {
  const background = BACKGROUNDS[isDark ? 'dark' : 'light']
  return JSON.stringify({
    id: '/',
    name,
    short_name: name,
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    lang: 'en',
    background_color: background,
    theme_color: background,
    icons: [
      // the others are made from the logo
      ...(logo === null ? [DEFAULT_ICON] : []),
      icon(192, 'any'),
      icon(512, 'any'),
      icon(512, 'maskable'),
    ],
    shortcuts: [
      { name: 'Search', url: href('/search') },
      { name: 'Cart', url: href('/cart') },
    ],
  })
}

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
