import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { openTestDatabase } from '#tests/support/database.ts'
import { generateSchema } from '#tools/generate-schema.ts'

it('schema.generated.ts has the tables of the migrations, or else: npm run schema', async () => {
  const { db, close } = await openTestDatabase()
  const written = await readFile(new URL('./schema.generated.ts', import.meta.url), 'utf8')
  expect(await generateSchema(db)).toBe(written)
  await close()
})
