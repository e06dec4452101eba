import type { Product } from '../contract.ts'

/** The product as structured data (schema.org). */
export const describeProduct = (product: Product, priceCurrency: string) => ({
  'script:ld+json': {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name,
    description: product.description,
    category: product.category.name,
    offers: {
      '@type': 'Offer',
      price: product.price,
      priceCurrency,
      availability: `https://schema.org/${product.quantity > 0 ? 'InStock' : 'OutOfStock'}`,
    },
  },
})
