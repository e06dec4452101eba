/** The statements of a purchase, counted through HTTP, so that they cannot grow unseen. */
import type { LogEvent } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '#db/connect.ts'
import { addPerson } from '../support/accounts.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { openTestDatabase } from '../support/database.ts'
import { cartOf, purchases, signedPayment } from '../support/payments.ts'
import { shopOn, type TestShop } from '../support/shop.ts'

const MOST_STATEMENTS = 10
const MOST_WRITING_COMMITS = 3

let shop: TestShop & OpenDatabase
const heard: string[] = []

beforeAll(async () => {
  const opened = await openTestDatabase(({ query }: LogEvent) => heard.push(query.sql.trim()))
  shop = { ...opened, ...(await shopOn(opened.db)) }
})
afterAll(async () => {
  await shop.app.close().finally(shop.close)
})

const WRITES = /\b(insert into|update|delete from)\s+"?\w/i

/** Transactions with a write, and writes outside a transaction. */
function writingCommits(statements: string[]): number {
  let commits = 0
  let hasWritten: boolean | null = null
  for (const statement of statements) {
    if (/^(begin|start transaction)/i.test(statement)) hasWritten = false
    else if (/^(commit|rollback)$/i.test(statement)) {
      commits += Number(hasWritten && /commit/i.test(statement))
      hasWritten = null
    } else if (WRITES.test(statement) && !/^(explain|show)/i.test(statement)) {
      if (hasWritten === null) commits += 1
      else hasWritten = true
    }
  }
  return commits
}

it('counts the writing commits of statements', () => {
  const insert = 'insert into orders (id) values ($1)'
  expect(writingCommits(['select 1', insert, 'update "payments" set state = $1'])).toBe(2)
  expect(writingCommits(['begin', 'select 1', insert, insert, 'commit', insert])).toBe(2)
  expect(writingCommits(['begin', 'select 1 for update', 'commit'])).toBe(0)
  expect(writingCommits(['begin', insert, 'rollback'])).toBe(0)
})

it('a purchase takes few statements, and few commits that write', async () => {
  const { start, verify } = purchases(shop)
  const category = await addCategory(shop.db, 'Kitchen')
  const products = [
    await addProduct(shop.db, { category }),
    await addProduct(shop.db, { category }),
  ]
  const cart = cartOf(...products)
  // the first request of a process reads more, such as the secret of sessions
  for (const counted of [false, true]) {
    const buyer = await addPerson(shop.db)
    heard.length = 0
    const { body } = await start(buyer, { amount: 2500, cart })
    expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
    if (!counted) continue
    const statements = heard.map((text) => text.replaceAll(/\s+/g, ' ').slice(0, 120))
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(MOST_STATEMENTS)
    expect(writingCommits(heard), statements.join('\n')).toBeLessThanOrEqual(MOST_WRITING_COMMITS)
    expect(statements.length).toBeGreaterThan(2)
  }
})
