import { expect, it } from 'vitest'
import { testShop } from '#tests/support/shop.ts'
import { readableAddress } from './unreadable-address.ts'

const shop = testShop()
const headers = { accept: 'text/html,*/*;q=0.8' }

it.each(['/%', '/%E0%A4%A', '/%zz/x?q=%E0'])(
  'an address that cannot be decoded is a page that is not there, for a browser: %s',
  async (url) => expect((await shop.app.inject({ url, headers })).statusCode).toBe(404),
)

it.each([
  ['/api/v1/%', '/api/v1/%'],
  ['/caf%C3%A9', '/caf%C3%A9'],
  ['/?q=%E0', '/?q=%E0'],
  ['/%?q=%', '/%25?q=%'],
  ['/%2?a?b=%', '/%252?a?b=%'],
])('%s is read as %s', (url, read) => {
  expect(readableAddress({ url, headers })).toBe(read)
})
