import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedProduct } from '#app/products/contract.ts'
import { acquireLock, LOCKS } from '#db/locks.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { onServer } from '#tests/support/database.ts'
import { testShop } from '#tests/support/shop.ts'
import { countWords } from './count-words-store.ts'

const shop = testShop()
let category = { id: '' }
beforeAll(async () => {
  category = await addCategory(shop.db, 'Everything')
})

const found = async (keyword: string) => {
  const { body } = await shop.get<ListedProduct[]>(`/product/search/${keyword}`)
  return body.map(({ name }) => name)
}

/** Words whose counts are not those of a full recount; none may be found. */
const miscounted = async (which: 'with changes' | 'counted') => {
  const changes = sql`union all select word, in_names, in_all from vocabulary_changes`
  const { rows } = await sql`
    select word from (
      select word, sum(in_names) as in_names, sum(in_all) as in_all
      from (
        select word, in_names, in_all from vocabulary
        ${which === 'with changes' ? changes : sql``}
      ) as known
      group by word having sum(in_all) <> 0 or sum(in_names) <> 0
    ) as kept
    full join (
      select word, count(*) filter (where is_in_name) as in_names, count(*) as in_all
      from products cross join lateral words_with_place(name, description) group by word
    ) as counted using (word)
    where (kept.in_names, kept.in_all) is distinct from (counted.in_names, counted.in_all)`.execute(
    shop.db,
  )
  return rows
}

const WORDS = ['Copper', 'kettle', 'sings', 'the', 'Crème', 'brûlée', 'N° 7', 'tea-pot', 'kettles']

/** The same on every machine. */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % sides
  }
}

describe('the vocabulary', () => {
  it('is what a full recount says, after any traffic, whenever it is counted', async () => {
    const roll = dice(20_261_121)
    const text = () =>
      Array.from({ length: 1 + roll(5) }, () => WORDS[roll(WORDS.length)]).join(' ')
    const ids: string[] = []
    for (let step = 0; step < 150; step += 1) {
      const [what, id = category.id] = [roll(10), ids[roll(Math.max(1, ids.length))]]
      const facts = { name: text(), description: text() }
      if (what < 5) ids.push((await addProduct(shop.db, { category, ...facts })).id)
      else if (what < 7) await shop.db.deleteFrom('products').where('id', '=', id).execute()
      else if (what < 9)
        await shop.db.updateTable('products').set(facts).where('id', '=', id).execute()
      else await countWords(shop.db)
      if (step % 30 === 0) expect(await miscounted('with changes')).toEqual([])
    }
    await shop.db.updateTable('products').set({ description: 'Of copper, all of them.' }).execute()
    expect(await miscounted('with changes')).toEqual([])
    await countWords(shop.db)
    expect(await miscounted('counted')).toEqual([])
    const { rows } = await sql`select from vocabulary where in_all <= 0`.execute(shop.db)
    expect(rows).toEqual([])
  })

  it('knows a new word at once, and forgets one that is gone', async () => {
    const { id } = await addProduct(shop.db, { category, name: 'Xylophone' })
    expect(await found('xylofone')).toEqual(['Xylophone'])
    await countWords(shop.db)
    expect(await found('xylofone')).toEqual(['Xylophone'])
    await shop.db.updateTable('products').set({ name: 'Zither' }).where('id', '=', id).execute()
    expect(await found('xylofone')).toEqual([])
    expect(await found('zihter')).toEqual(['Zither'])
    await countWords(shop.db)
    expect(await found('xylofone')).toEqual([])
  })

  it('lets a sale write nothing', async () => {
    await countWords(shop.db)
    await shop.db.updateTable('products').set({ quantity: 3 }).execute()
    const { rows } = await sql`select from vocabulary_changes`.execute(shop.db)
    expect(rows).toEqual([])
  })

  it.runIf(onServer)('holds up nobody: who writes the same words waits for no other', async () => {
    await shop.db.transaction().execute(async (first) => {
      await addProduct(first, { category, name: 'Ukulele' })
      await shop.db.transaction().execute(async (second) => {
        await sql`set local lock_timeout = '2s'`.execute(second)
        await sql`insert into products (id, name, slug, description, price_minor, quantity, category_id)
          values (gen_random_uuid(), 'Ukulele', 'ukulele-two', 'Ukulele', 9999900, 1,
            ${(await addCategory(second, 'Strings')).id})`.execute(second)
      })
      await countWords(shop.db)
    })
    await countWords(shop.db)
    expect(await miscounted('counted')).toEqual([])
  })

  it.runIf(onServer)('is left alone, and not vacuumed, while another process counts', async () => {
    const vacuums = async () => {
      const { rows } = await sql<{ vacuum_count: number }>`
        select vacuum_count from pg_stat_user_tables
        where relname = 'vocabulary_changes'`.execute(shop.db)
      return rows[0]?.vacuum_count
    }
    await addProduct(shop.db, { category, name: 'Metronome' })
    const before = await vacuums()
    await shop.db.transaction().execute(async (other) => {
      await acquireLock(other, LOCKS.wordCount)
      await countWords(shop.db)
    })
    expect(await vacuums()).toBe(before)
    await countWords(shop.db)
    await countWords(shop.db)
    expect(await vacuums()).toBe((before ?? 0) + 1)
  })
})
