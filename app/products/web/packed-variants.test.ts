import { expect, it } from 'vitest'
import type { DetailedProduct } from '../contract.ts'
import { packVariants, unpackVariants } from './packed-variants.ts'

const facts: DetailedProduct = {
  _id: '0190a0c0-0000-7000-8000-000000000001',
  name: 'Shirt',
  slug: 'shirt',
  description: 'Of linen.',
  price: 12.5,
  quantity: 3,
  shipping: 1,
  photo: null,
  createdAt: '2026-11-27T12:00:00.000Z',
  updatedAt: '2026-11-27T12:00:00.000Z',
  category: { _id: '0190a0c0-0000-7000-8000-000000000002', name: 'Shirts', slug: 'shirts' },
}
const shirt: DetailedProduct = {
  ...facts,
  options: [{ name: 'Size', values: [{ name: 'S' }, { name: 'M' }] }],
  variants: [
    {
      _id: 'ff00a0c0-0000-4000-8000-0000000000ff',
      values: [0],
      price: 12.5,
      quantity: 0,
      isListed: true,
    },
    {
      _id: '00ffa0c0-1111-4000-8000-000000000000',
      values: [1],
      price: 19,
      compareAt: 25,
      quantity: 7,
    },
  ],
}

it('variants on the way to the browser stay what they are', () => {
  expect(unpackVariants(packVariants(shirt))).toEqual(shirt)
  expect(unpackVariants(shirt)).toEqual(shirt)
  expect(unpackVariants(packVariants(facts))).toEqual(facts)
})
