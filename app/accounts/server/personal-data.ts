/** Personal data export: everything stored about a user, as one JSON document. */
import { notFound } from '#app/shared/server/failure.ts'
import { emailKey } from '#app/shared/server/limits/client-keys.ts'
import type { Database } from '#db/schema.ts'
import { type Page, SECTIONS, selectFacts } from './personal-data-store.ts'
import { selectUserByEmail } from './store.ts'

/** Rows in memory at a time. */
const PAGE_SIZE = 500

async function* itemsOf(page: Page, db: Database, userId: string) {
  let isFirst = true
  let after: string | null = null
  while (true) {
    const rows: Awaited<ReturnType<Page>> = await page(db, { userId, after, limit: PAGE_SIZE })
    for (const { item } of rows) {
      yield `${isFirst ? '' : ','}\n    ${JSON.stringify(item)}`
      isFirst = false
    }
    after = rows.at(-1)?.key ?? null
    if (rows.length < PAGE_SIZE) return
  }
}

/** Streams the document in pieces, so memory does not grow with the number of orders. */
export async function* personalData(db: Database, userId: string): AsyncGenerator<string> {
  yield `{\n  "account": ${JSON.stringify(await selectFacts(db, userId))}`
  for (const [name, page] of Object.entries(SECTIONS)) {
    yield `,\n  "${name}": [`
    yield* itemsOf(page, db, userId)
    yield ']'
  }
  yield '\n}\n'
}

/** The same for the shop's owner, by e-mail. Throws `not_found` when there is no such account. */
export async function personalDataByEmail(db: Database, email: string) {
  const user = await selectUserByEmail(db, emailKey(email))
  if (!user) throw notFound('There is no account with this email.')
  return personalData(db, user.id)
}
