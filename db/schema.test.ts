import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openTestDatabase } from '#tests/support/database.ts'
import { generateSchema } from '#tools/generate-schema.ts'

it('schema.generated.ts has the tables of the migrations, or else: npm run schema', async () => {
  const { db, close } = await openTestDatabase()
  const written = await readFile(new URL('./schema.generated.ts', import.meta.url), 'utf8')
  expect(await generateSchema(db)).toBe(written)
  await close()
})

it('each column of words is in a GIN index, also when its expression was changed', async () => {
  const { db, close } = await openTestDatabase()
  const { rows } = await sql<{ column: string; indexed: boolean }>`
    select attrelid::regclass || '.' || attname as column, exists (
      select from pg_index
      join pg_class on pg_class.oid = indexrelid
      join pg_am on pg_am.oid = relam
      where indrelid = attrelid and attnum = any (indkey) and amname = 'gin'
    ) as indexed
    from pg_attribute
    where atttypid = 'tsvector'::regtype and attrelid in (
      select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    )`.execute(db)
  expect(rows).not.toEqual([])
  expect(rows.filter(({ indexed }) => !indexed)).toEqual([])
  await close()
})
