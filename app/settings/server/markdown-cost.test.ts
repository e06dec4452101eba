/** The cost of rendering texts of information pages that are as long as they may be. */
import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { costOf } from '#tests/support/cost.ts'
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

/** The CPU time of a rendering, in milliseconds. */
async function renderingCost(text: string): Promise<number> {
  const { allThreads } = await costOf(async () => expect((await preview(text)).status).toBe(200))
  return allThreads
}

const PLAIN = filled('A sentence of some words, with a full stop. ')
/** A text that is accepted costs at most so many times as much as plain text. */
const MOST = 8
/** Other load on the machine makes single renderings dearer. */
const MAX_ROUNDS = 10

/** What it costs and what plain text costs, at best of rounds that end once it is little more. */
async function costsOf(text: string) {
  let [least, plain] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < MAX_ROUNDS && !(least < MOST * plain); round++) {
    plain = Math.min(plain, await renderingCost(PLAIN))
    least = Math.min(least, await renderingCost(text))
  }
  return { least, plain }
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
    const { least, plain } = await costsOf(text)
    expect(least).toBeLessThan(MOST * plain)
  })
})
