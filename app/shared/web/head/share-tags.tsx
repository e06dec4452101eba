import { RSS_PATH, SHARE_SIZE, SHOP_PICTURE } from '#app/shared/model/share-picture.ts'
import { useShop } from '../use-shop.ts'

type Props = {
  title: string
  description: string | undefined
  path: string | undefined
  image: string | undefined
  isProduct: boolean | undefined
}

/**
 * Open Graph and Twitter tags, which social networks show for a shared link, and the RSS feed of
 * new products. Rendered on the server only.
 */
export function ShareTags({ title, description, path, image = SHOP_PICTURE, isProduct }: Props) {
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
