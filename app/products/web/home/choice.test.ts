import { describe, expect, it } from 'vitest'
import { PRICE_BANDS } from '#app/products/contract.ts'
import { type Choice, choiceOf, paramsOf } from './choice.ts'

const NOTHING: Choice = { categories: [], band: null }

describe('the choice in the address', () => {
  it('is read as it was written, for each of the six bands', () => {
    for (const [band] of PRICE_BANDS.entries()) {
      const choice: Choice = { categories: [crypto.randomUUID(), crypto.randomUUID()].sort(), band }
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

  it('takes a band that there is not for none', () => {
    for (const price of ['', '0', '0-20', '100-', '-1', '__proto__']) {
      expect(choiceOf(new URLSearchParams({ price })).band).toBeNull()
    }
  })
})
