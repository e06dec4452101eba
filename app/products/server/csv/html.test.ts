import { beforeEach, describe, expect, it } from 'vitest'
import type { ImportStep } from '#app/products/admin-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory } from '#tests/support/catalogue.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { testShop } from '#tests/support/shop.ts'
import { yardstick } from '#tests/support/yardstick.ts'
import { markdownOf } from './html.ts'

const shop = testShop()
let admin: Person
beforeEach(async () => {
  await emptyTables(shop.db, ['categories', 'products', 'product_slugs', 'category_slugs'])
  admin = await addPerson(shop.db, { admin: true })
  await addCategory(shop.db, 'Cups')
})

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

async function imported(descriptions: string[], query = '') {
  const rows = descriptions.map((text, at) => `Cup ${at},${quoted(text)},4.90,3,Cups`)
  const { body } = await shop.app.inject({
    method: 'POST',
    url: `/api/v1/product/import${query}`,
    headers: { authorization: admin.token, 'content-type': 'text/csv' },
    payload: ['name,description,price,quantity,category', ...rows].join('\r\n'),
  })
  const last: ImportStep = JSON.parse(body.trim().split('\n').at(-1) ?? '')
  if (last.step !== 'done') throw new Error(body)
  return last
}

const stored = async () =>
  (await shop.db.selectFrom('products').orderBy('name').select('description').execute()).map(
    ({ description }) => description,
  )

describe('an import of descriptions', () => {
  it('makes Markdown of HTML, and says so', async () => {
    const html = '<p>Gedreht &amp; <b>glasiert. </b></p><ul><li>200 ml</li><li>3 &lt; 4</li></ul>'
    const checked = await imported([html, 'Plain.'], '?dryRun=true')
    expect(checked.message).toContain('1 description in HTML would become Markdown.')
    const done = await imported([html, 'Plain.'])
    expect(done.message).toContain('1 description in HTML became Markdown.')
    expect(done.report.descriptions).toBe(1)
    expect(await stored()).toEqual(['Gedreht & **glasiert.**\n\n- 200 ml\n- 3 < 4', 'Plain.'])
    const list = await shop.get<{ products: { name: string; summary: string }[] }>(
      '/product/products',
    )
    expect(list.body.products.map(({ summary }) => summary)).toContain(
      'Gedreht & glasiert.\n\n200 ml\n3 < 4',
    )
  })

  it('leaves Markdown, signs and code as they are', async () => {
    const texts = ['**Bold** < 5 kg, > 3 kg', 'For `<p>` and a <= b', '1 < 2 <3 & more']
    expect((await imported(texts)).report.descriptions).toBe(0)
    expect(await stored()).toEqual(texts)
  })

  it('is of the same text when it is imported again', async () => {
    const html = '<h2>Care</h2><p>5*4 <a href="https://example.com/a">by hand</a><br>2. dry</p>'
    await imported([html])
    const [before = ''] = await stored()
    expect(markdownOf(before)).not.toContain('<')
    expect((await imported([before])).report.descriptions).toBe(0)
  })
})

describe('Markdown of HTML', () => {
  it.each([
    ['one<br>two<br/>three', 'one\ntwo\nthree'],
    ['one <b>line</b>\n\nand another', 'one **line**\n\nand another'],
    ['<div>one</div><div>two</div>', 'one\n\ntwo'],
    ['<h1>Big</h1><ol><li>a<li>b</ol>', '# Big\n\n1. a\n2. b'],
    ['<b>Note:</b>snake_case', '**Note:** snake_case'],
    ['<table><tr><th>A<th>B<tr><td>1<td>2</table>', '| A | B |\n| - | - |\n| 1 | 2 |'],
    ['<p>1. first</p><p># sign</p>', '1\\. first\n\n\\# sign'],
    ['<p>&nbsp;</p><p>a&nbsp;b</p>', 'a b'],
    ['<a href="https://a.test/?b=1&c=2">link</a>', '[link](https://a.test/?b=1\\&c=2)'],
  ])('%s', (html, markdown) => expect(markdownOf(html)).toBe(markdown))

  it.each([
    '<script>alert(1)</script>ok',
    '<style>p { color: red }</style>ok',
    '<p onclick="alert(1)">ok</p>',
    '<a href="javascript:alert(1)">ok</a>',
    '<a href=" java\nscript:alert(1)">ok</a>',
    '<a href="data:text/html,alert(1)">ok</a>',
    '<img src=x onerror=alert(1)>ok',
    '<iframe src="https://evil.test">alert(1)</iframe>ok',
    '<svg><script>alert(1)</script></svg>ok',
    '<math><mtext><script>alert(1)</script></mtext></math>ok',
    '<noscript><img src=x onerror=alert(1)></noscript>ok',
    '<!-- alert(1) -->ok',
    '<object data=x>alert(1)</object>ok',
    '<template>alert(1)</template>ok',
  ])('has nothing that runs of %s', (html) => {
    const text = markdownOf(html)
    expect(text).toContain('ok')
    expect(text).not.toMatch(/alert\(1\)(?!>)|javascript:|onerror=|color: red/)
  })

  /** How long a description may hold the event loop, as a multiple of fixed work. */
  const MAX_HELD = 40
  it.each([
    ['nested elements', '<div>'.repeat(12_000)],
    ['elements nested as deep as may be', '<div>'.repeat(999)],
    ['formatting that each paragraph repeats', '<b>'.repeat(490) + '<p>x'.repeat(490)],
    [
      'formatting that differs',
      Array.from({ length: 490 }, (_, at) => `<b a=${at}>`).join('') + '<p>x'.repeat(490),
    ],
    ['many paragraphs', '<p>x</p>'.repeat(490)],
    ['a wide table', `<table><tr><td colspan=100000>${'<td>x'.repeat(990)}`],
    ['marks', `<p>${'*_['.repeat(20_000)}`],
    ['tags that do not end', '<a '.repeat(20_000)],
    ['scripts that do not end', '<script>'.repeat(8000)],
  ])('is made in bounded time: %s', (_what, html) => {
    const before = process.threadCpuUsage()
    markdownOf(html)
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(MAX_HELD * yardstick())
  })
})
