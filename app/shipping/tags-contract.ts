/** The cache tag of shipping zones with their rates. */
export const SHIPPING_TAG = 'shipping'
