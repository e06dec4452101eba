import { useShop } from './use-shop.ts'

type Props = {
  /** Before the shop's name; the home page has none. */
  title?: string
  description?: string
  /** The one address of what is shown, where it has several. */
  path?: string
  image?: string
  /** Not for search engines: what is private, or a list made for one visitor. */
  hidden?: boolean
}

/**
 * What a page says of itself in its head; React puts it there. What has to be a whole address, for
 * search engines and where a link is shared, is said by a shop that knows its own.
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
