import { describe, expect, it } from 'vitest'
import { bandKey, priceBandsFrom } from '#app/products/contract.ts'
import { type Choice, choiceOf, paramsOf } from './choice.ts'

const NOTHING: Choice = { categories: [], price: null }

describe('the choice in the address', () => {
  it('is read as it was written, for each of the six bands', () => {
    for (const band of priceBandsFrom([0, 20, 40, 60, 80, 100])) {
      const categories = [crypto.randomUUID(), crypto.randomUUID()].sort()
      const choice: Choice = { categories, price: bandKey(band) }
      expect(choiceOf(paramsOf(choice))).toEqual(choice)
    }
  })

  it('leaves the plain address when nothing is chosen', () => {
    expect(`${paramsOf(NOTHING)}`).toBe('')
    expect(choiceOf(new URLSearchParams())).toEqual(NOTHING)
  })

  it('passes over what is no category', () => {
    const params = new URLSearchParams('category=x&category=&category=%00')
    expect(choiceOf(params)).toEqual(NOTHING)
  })

  it('takes what is no band for none', () => {
    for (const price of ['', '0', '20-0', '020-39', '100-', '-1', '__proto__']) {
      expect(choiceOf(new URLSearchParams({ price })).price).toBeNull()
    }
  })
})

describe('the bands of the settings', () => {
  it('end below the next one, and the last at the end of the specification', () => {
    expect(priceBandsFrom([0, 50])).toEqual([
      [0, 49],
      [50, 9999],
    ])
  })

  it('have a higher end where they are higher', () => {
    expect(priceBandsFrom([0, 9000, 20_000])).toEqual([
      [0, 8999],
      [9000, 19_999],
      [20_000, 1_000_000],
    ])
  })
})
