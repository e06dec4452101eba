/** The picture for links to pages without a picture of their own. */
export const SHOP_PICTURE = '/share.png'

/** The size of every picture for shared links, in pixels. */
export const SHARE_SIZE = { width: 1200, height: 630 }

/** The new products as RSS. */
export const RSS_PATH = '/feed.xml'
