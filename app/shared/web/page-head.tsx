import { useShop } from './use-shop.ts'

type Props = {
  /** The title before the shop's name; the home page has none. */
  title?: string
  description?: string
  /** The canonical path, where a page has several URLs. */
  path?: string
  image?: string
  /** Excluded from search engines: private pages, and lists made for one visitor. */
  hidden?: boolean
}

/**
 * The metadata of a page; React puts it into the head. Absolute URLs (canonical, Open Graph) need
 * the shop's own URL and are omitted without it.
 */
export function PageHead({ title, description, path, image, hidden = false }: Props) {
  const { name, url } = useShop()
  const full = title ? `${title} · ${name}` : `${name}: the open-air market`
  return (
    <>
      <title>{full}</title>
      <meta property="og:title" content={full} />
      <meta property="og:site_name" content={name} />
      <meta property="og:type" content="website" />
      {description && <meta name="description" content={description} />}
      {description && <meta property="og:description" content={description} />}
      {url && image && <meta property="og:image" content={url + image} />}
      {url && path && <link rel="canonical" href={url + path} />}
      {hidden && <meta name="robots" content="noindex" />}
    </>
  )
}
