/** The names of a shop of the first version, which searches find by the parts of their words after the upgrade. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { upgradedFromFirst } from '#tests/support/first-version.ts'

const ID = '01890000-0000-7000-8000-00000000000'
const ROWS = `
  insert into categories (id, name, name_key, slug) values ('${ID}0', 'Cups', 'cups', 'cups');
  insert into products (id, name, slug, description, price_minor, quantity, category_id)
    values ('${ID}1', '東京限定マグカップ', 'a', '-', 100, 1, '${ID}0'),
      ('${ID}2', 'Cup', 'b', 'ชุดกาแฟเซรามิก', 100, 1, '${ID}0'),
      ('${ID}3', 'Red cup', 'c', 'Clay.', 100, 1, '${ID}0');`

it('finds products of an earlier version by the parts of words', async () => {
  const { db, close } = await upgradedFromFirst(ROWS)
  const found = async (part: string) =>
    (
      await db
        .selectFrom('products')
        .where(sql<boolean>`search @@ ${part}::tsquery`)
        .orderBy('id')
        .select('slug')
        .execute()
    ).map(({ slug }) => slug)
  expect(await found("'限定'")).toEqual(['a'])
  expect(await found("'กา' <-> 'าแ'")).toEqual(['b'])
  expect(await found("'cup'")).toEqual(['b', 'c'])
  await close()
})
