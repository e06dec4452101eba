import { expect, it } from 'vitest'
import { pageOf } from './query.ts'

const asked = (page: string) => pageOf(new URLSearchParams({ page }))

it('takes the page that the address asks for', () => {
  expect(asked('3')).toBe(3)
  expect(asked('1000000000000')).toBe(1e12)
})

it('takes the first where none is asked for, or one there cannot be', () => {
  expect(pageOf(new URLSearchParams())).toBe(1)
  for (const page of ['', '0', '-1', '1.5', 'x', '1e400', '99999999999999999999']) {
    expect(asked(page)).toBe(1)
  }
})
