import { describe, expect, it } from 'vitest'
import { servePages } from '#tests/support/pages.ts'
import { testShop } from '#tests/support/shop.ts'
import { readableAddress } from './client-errors.ts'

const shop = testShop({}, servePages)

const BROKEN = [
  '/%',
  '/%ff',
  '/product/%ff',
  '/category/%E0%A4%A',
  '/search/%C0%AE',
  '/%zz/x?q=%E0',
]

describe.each(['text/html,*/*;q=0.8', '*/*', undefined])('asked for with Accept: %s', (accept) => {
  const headers = accept === undefined ? {} : { accept }

  it.each(BROKEN)('%s is a page that is not there, in the look of the shop', async (url) => {
    const reply = await shop.app.inject({ url, headers })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
    expect(reply.body).toContain('Oops ! Page Not Found')
    expect(reply.headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
  })

  it('a call of the API that cannot be read is refused as JSON', async () => {
    const reply = await shop.app.inject({ url: '/api/v1/product/get-product/%ff', headers })
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'invalid'])
  })
})

it.each([
  ['/api/v1/%', '/api/v1/%'],
  ['/caf%C3%A9', '/caf%C3%A9'],
  ['/?q=%E0', '/?q=%E0'],
  ['/%?q=%', '/%25?q=%'],
  ['/%2?a?b=%', '/%252?a?b=%'],
])('%s is read as %s', (url, read) => {
  expect(readableAddress({ url })).toBe(read)
})
