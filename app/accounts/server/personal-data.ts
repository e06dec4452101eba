/** Personal data export: everything stored about a user, as one JSON document. */
import type { PersonalData, Section } from '#app/shared/server/personal-data-store.ts'
import type { Database } from '#db/schema.ts'
import { selectFacts } from './store.ts'

/** Rows in memory at a time. */
const PAGE_SIZE = 500

async function* itemsOf(section: Section, db: Database, userId: string) {
  let isFirst = true
  let after: string | null = null
  while (true) {
    const rows: Awaited<ReturnType<Section>> = await section(db, {
      userId,
      after,
      limit: PAGE_SIZE,
    })
    for (const { item } of rows) {
      yield `${isFirst ? '' : ','}\n    ${JSON.stringify(item)}`
      isFirst = false
    }
    after = rows.at(-1)?.key ?? null
    if (rows.length < PAGE_SIZE) return
  }
}

/**
 * Streams the document in parts, so memory does not grow with the number of orders. It has the account, and
 * the rows of each table as they are stored: amounts in minor units, columns by their names.
 */
export async function* exportPersonalData(
  db: Database,
  tables: PersonalData,
  userId: string,
): AsyncGenerator<string> {
  yield `{\n  "account": ${JSON.stringify(await selectFacts(db, userId))}`
  for (const [table, { name = table, section }] of Object.entries(tables)) {
    if (typeof section === 'string') continue
    yield `,\n  "${name}": [`
    yield* itemsOf(section, db, userId)
    yield ']'
  }
  yield '\n}\n'
}
