import { expect, it } from 'vitest'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { costOf } from '#tests/support/cost.ts'

const PATH = `${API_PREFIX}/category/get-category`
/** The longest header that fits into the headers of a request. */
const LENGTH = 110_000

const shop = testCachedShop()

const statusWith = async (headers: Record<string, string>) =>
  (await shop.ask(PATH, { headers })).status

it('compares an ETag with those of a short If-None-Match, and with none of a long one', async () => {
  const { etag = '' } = (await shop.ask(PATH)).headers
  expect(await statusWith({ 'if-none-match': etag })).toBe(304)
  expect(await statusWith({ 'if-none-match': `"a", W/"b", ${etag}` })).toBe(304)
  expect(await statusWith({ 'if-none-match': `${'"a",'.repeat(300)} ${etag}` })).toBe(200)
})

it.each([
  ['if-none-match', 'a,'],
  ['if-none-match', ', '],
  ['accept-encoding', 'a,'],
  ['accept-encoding', 'br;q=0.5,'],
  ['accept', 'a/b,'],
])('a long %s (%s) costs no more than another long header', async (name, part) => {
  const long = part.repeat(LENGTH / part.length)
  const costWith = async (header: string) => {
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 5; round++) {
      // not the same twice: parsed headers may be remembered
      const send = async () => {
        for (let n = 0; n < 20; n++) await statusWith({ [header]: `${round}-${n}${long}` })
      }
      least = Math.min(least, (await costOf(send)).allThreads)
    }
    return least
  }
  const usual = await costWith('x-unknown')
  expect(await costWith(name)).toBeLessThan(2 * usual)
})
