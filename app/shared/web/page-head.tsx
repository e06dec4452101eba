import { ShareTags } from './head/share-tags.tsx'
import { useShop } from './use-shop.ts'

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
export function PageHead({ title, description, path, image, isProduct, hidden }: Props) {
  const { name, tagline, url } = useShop()
  const plain = tagline ? `${name}: ${tagline}` : name
  const full = title ? `${title} · ${name}` : plain
  return (
    <>
      <title>{full}</title>
      {description && <meta name="description" content={description} />}
      {url && path && <link rel="canonical" href={url + path} />}
      {hidden && <meta name="robots" content="noindex, follow" />}
      {
        // Social networks run no scripts and fetch each page, so browsers do not load this code.
        import.meta.env.SSR && (
          <ShareTags
            title={full}
            description={description}
            path={path}
            image={image}
            isProduct={isProduct}
          />
        )
      }
    </>
  )
}
