import type { BreadcrumbList, WithContext } from 'schema-dts'
import { RSS_PATH, SHARE_SIZE, SHOP_PICTURE } from '#app/shared/model/share-picture.ts'
import { useShop } from './shop.ts'

type Props = {
  /** The title before the shop's name; the home page has none. */
  title?: string
  description?: string
  /** The canonical path, where a page has several URLs. */
  path?: string
  /** The path of the picture for shared links; the shop's own by default. */
  image?: string
  /** A page about one product, for shared links. */
  isProduct?: boolean
  /** Excluded from search engines: private pages, and lists made for one visitor. */
  hidden?: boolean
}

/**
 * The metadata of a page; React puts it into the head. Absolute URLs (canonical, Open Graph) need
 * the shop's own URL and are omitted without it.
 */
export function PageHead({ title, hidden, ...shared }: Props) {
  const { name, tagline, url } = useShop()
  const { description, path } = shared
  const plain = tagline ? `${name}: ${tagline}` : name
  const full = title ? `${title} · ${name}` : plain
  return (
    <>
      <title>{full}</title>
      {description && <meta name="description" content={description} />}
      {url && path && <link rel="canonical" href={url + path} />}
      {hidden && <meta name="robots" content="noindex, follow" />}
      {/* social networks run no scripts and fetch each page, so browsers do not load this code */}
      {import.meta.env.SSR && <ShareTags {...shared} title={full} />}
    </>
  )
}

/**
 * Open Graph and Twitter tags, which social networks show for a shared link, and the RSS feed of
 * new products. Rendered on the server only.
 */
function ShareTags({ title, description, path, image = SHOP_PICTURE, isProduct }: Props) {
  const { name, url } = useShop()
  return (
    <>
      <meta property="og:title" content={title} />
      <meta property="og:site_name" content={name} />
      <meta property="og:type" content={isProduct ? 'product' : 'website'} />
      <meta property="og:locale" content="en_US" />
      {description && <meta property="og:description" content={description} />}
      {url && path && <meta property="og:url" content={url + path} />}
      {url && (
        <>
          <meta property="og:image" content={url + image} />
          <meta property="og:image:width" content={`${SHARE_SIZE.width}`} />
          <meta property="og:image:height" content={`${SHARE_SIZE.height}`} />
          <meta property="og:image:alt" content={title} />
          <link
            rel="alternate"
            type="application/rss+xml"
            title={`${name}: new products`}
            href={url + RSS_PATH}
          />
        </>
      )}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

/** The icons and the manifest. Rendered on the server only: browsers read them once. */
export function IconLinks() {
  const { logo } = useShop()
  return (
    <>
      <link rel="icon" href="/favicon.ico" sizes="32x32" />
      {/* the others are made from the logo */}
      {!logo && <link rel="icon" href="/favicon.svg" type="image/svg+xml" />}
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href="/manifest.webmanifest" />
    </>
  )
}

/** A page on the way to another one. */
type Crumb = { name: string; path: string }

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

/**
 * The structured data (schema.org) of a page, for its `meta`. Only its `loader` returns it: search
 * engines fetch each page, so browsers get no code for it. React Router escapes it.
 */
export function structuredDataOf(loaderData: unknown) {
  const { structuredData = [] } = Object(loaderData)
  return (structuredData as object[]).map((one) => ({ 'script:ld+json': one }))
}
