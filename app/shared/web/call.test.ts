import { expect, it } from 'vitest'
import { CallFailure, messageOf } from './call.ts'

const refusal = (field: string, message: string) =>
  new CallFailure(400, { message, field, fields: [{ field, message }] })

it.each([
  ['rates.0.price', 'rates.0.price must be at least 0.', 'Price must be at least 0.'],
  [
    'rates.1.freeFrom',
    'rates.1.freeFrom may have at most 2 decimals.',
    'Free from may have at most 2 decimals.',
  ],
  [
    'rates.0.tiers',
    'rates.0.tiers may have at most 50 entries.',
    'Tiers may have at most 50 entries.',
  ],
  ['codes.2', 'codes.2 must be text.', 'Codes must be text.'],
  ['name', 'name is required.', 'Name is required.'],
  ['rates.0.price', 'Enter a price.', 'Enter a price.'],
])('shows people no path: %s', (field, message, shown) => {
  expect(messageOf(refusal(field, message), 'It failed.')).toBe(shown)
})

it('shows the message of the server as it is where it is about no field', () => {
  const failure = new CallFailure(409, { message: 'name is a word here.' })
  expect(messageOf(failure, 'It failed.')).toBe('name is a word here.')
  expect(messageOf(new CallFailure(0, null), 'It failed.')).toBe('It failed.')
  expect(messageOf(new Error('secret'), 'It failed.')).toBe('It failed.')
})
