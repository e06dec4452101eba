/** The cost of rendering texts of information pages that are as long as they may be. */
import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

const LENGTH = 50_000
const filled = (part: string) => part.repeat(Math.ceil(LENGTH / part.length)).slice(0, LENGTH)

/** A list in a list in a list, one a line. */
const nestedList = (levels: number, before = '') =>
  Array.from({ length: levels }, (_, level) => `${before}${'  '.repeat(level)}- a\n`).join('')

const preview = (text: string) =>
  shop.post<{ message: string }>('/settings/preview', { token: admin.token, body: { text } })

it.each([
  ['nested lists', '- a\n  - b\n    - c\n', 'lines'],
  ['lists nested by their indentation', nestedList(220), '10 levels deep'],
  ['lists nested by their indentation in a quotation', nestedList(190, '> '), '10 levels deep'],
  ['nested lists with other line ends', '-\r', 'lines'],
  ['quotations', '> > > a\n\n', 'lines'],
  ['deep quotations', `${'> '.repeat(10)}some words of it\n\n`, 'quotations and list items'],
  ['blank lines', '\n', 'lines'],
  ['open links', '[a](', 'links'],
  ['definitions of links', '[a]:b\n', 'lines'],
  ['underlined headings', 'a\n=\n', 'lines'],
])('a text of %s is refused before it is parsed', async (_what, part, named) => {
  const { status, body } = await preview(filled(part))
  expect([status, body.message]).toEqual([400, expect.stringContaining(named)])
})

/** The fastest of some times in milliseconds, because of other load on the machine. */
async function timeOf(text: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const since = performance.now()
    expect((await preview(text)).status).toBe(200)
    least = Math.min(least, performance.now() - since)
  }
  return least
}

describe('the most that is accepted', () => {
  it.each([
    ['nested lists', '- a\n  - b\n    - c\n'.repeat(333)],
    ['deep lists', `${'- '.repeat(10)}a\n`.repeat(100)],
    ['quotations', '> > > a\n\n'.repeat(333)],
    ['open links', '[a]('.repeat(1000)],
    ['definitions of links', '[a]:b\n'.repeat(1000)],
    ['links', '[a](b)\n\n'.repeat(1000)],
    ['underlined headings', 'a\n=\n'.repeat(1000)],
    ['headings', '# a\n'.repeat(2000)],
    ['tables', '|a|b|\n|-|-|\n\n'.repeat(1000)],
    ['marks', '*a*_b_\n\n'.repeat(2000)],
    ['code and HTML', filled('`a` &amp; <b>c</b> <http://a.b> ')],
    ['blank lines', `- a${'\n'.repeat(9900)}  b`],
  ])('of %s costs little more than plain text of the same length', async (_what, text) => {
    const plain = await timeOf(filled('A sentence of some words, with a full stop. '))
    expect(await timeOf(text)).toBeLessThan(8 * plain)
  })
})
