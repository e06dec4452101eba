import { describe, expect, it } from 'vitest'
import { type CartEntry, cleanCart, linesOf, totalMinor, withOne, without } from './cart.ts'

const product = (last: number, price: number): CartEntry => ({
  _id: `00000000-0000-7000-8000-00000000000${last}`,
  name: `Cup ${last}`,
  slug: `cup-${last}`,
  description: 'Holds tea.',
  price,
  quantity: 5,
  photo: null,
})
const cup = product(1, 12.5)
const pot = product(2, 0.1)
const ids = (cart: CartEntry[]) => cart.map(({ _id }) => _id)

describe('a cart from storage', () => {
  it('keeps whole products as they are', () => {
    const whole = { ...cup, category: 'x', shipping: 1 }
    expect(cleanCart([whole])).toEqual([whole])
  })

  it('is empty when it is no list', () => {
    for (const stored of [null, 3, 'cart', {}, { length: 1 }]) expect(cleanCart(stored)).toEqual([])
  })

  it('drops what cannot be shown, priced or ordered', () => {
    const broken = [
      null,
      7,
      [],
      {},
      { ...cup, price: null },
      { ...cup, price: '12' },
      { ...cup, price: -1 },
      { ...cup, price: 1e300 },
      { ...cup, _id: 'cup' },
      { ...cup, name: {} },
      { ...cup, slug: undefined },
    ]
    expect(cleanCart([...broken, cup])).toEqual([cup])
  })

  it('fills in what can be missing', () => {
    const { description: _, photo: __, ...bare } = cup
    expect(cleanCart([bare])).toEqual([{ ...cup, description: undefined, photo: null }])
  })
})

describe('the cart', () => {
  it('holds one entry a piece', () => {
    expect(ids(withOne(withOne([], cup), cup))).toEqual(ids([cup, cup]))
  })

  it('shows equal entries as one line, in the order of adding', () => {
    expect(linesOf([cup, pot, cup])).toEqual([
      { product: cup, count: 2 },
      { product: pot, count: 1 },
    ])
  })

  it('loses one matching piece for each id', () => {
    expect(ids(without([cup, pot, cup, cup], [cup._id, cup._id]))).toEqual(ids([pot, cup]))
  })

  it('keeps what is not named', () => {
    expect(without([cup], [pot._id])).toEqual([cup])
  })

  it('adds up in minor units, without the errors of binary fractions', () => {
    expect(totalMinor([pot, pot, pot], 'INR')).toBe(30)
    expect(totalMinor([cup, pot], 'INR')).toBe(1260)
  })
})
