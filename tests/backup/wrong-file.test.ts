import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tally } from '#db/backup/format.ts'
import { restoreBackup } from '#db/backup/restore-backup.ts'
import { writeBackup } from '#db/backup/write-backup.ts'
import type { OpenDatabase } from '#db/connect.ts'
import { addCategory, addPhoto, addProduct } from '../support/catalogue.ts'
import { openTestDatabase } from '../support/database.ts'

let folder: string
let opened: OpenDatabase
let whole: Buffer
let lines: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haat-wrong-'))
  opened = await openTestDatabase()
  const category = await addCategory(opened.db, 'Tableware')
  await addPhoto(opened.db, await addProduct(opened.db, { category, name: 'Cup' }))
  const file = join(folder, 'whole')
  await writeBackup(opened.db, file)
  whole = await readFile(file)
  lines = zstdDecompressSync(whole).toString().split('\n')
  await addProduct(opened.db, { category, name: 'Since then' })
})
afterAll(async () => {
  await opened.close()
  await rm(folder, { recursive: true })
})

/** Restores these bytes; the shop must be as it was afterwards. */
async function restoring(bytes: Buffer | string, replace = true) {
  const file = join(folder, 'wrong')
  await writeFile(file, bytes)
  const products = () => opened.db.selectFrom('products').selectAll().execute()
  const before = await products()
  expect(before).toHaveLength(2)
  const said = await restoreBackup(opened.db, file, { replace }).then(
    () => 'restored',
    (error: Error) => error.message,
  )
  expect(await products()).toEqual(before)
  return said
}

/** The backup with its lines changed, and compressed as a backup is. */
const changed = (change: (lines: string[]) => string[]) =>
  zstdCompressSync(change([...lines]).join('\n'))

const withHeader = (change: object) =>
  changed(([header = '', ...rest]) => [
    JSON.stringify({ ...JSON.parse(header), ...change }),
    ...rest,
  ])

describe('a file that is no whole backup is refused, and nothing is touched:', () => {
  it.each([
    ['cut short', () => whole.subarray(0, whole.length - 20)],
    ['cut short in the middle', () => whole.subarray(0, whole.length >> 1)],
    ['with a bit that fell over', () => flipped(whole.length >> 1)],
    ['with a bit that fell over near its end', () => flipped(whole.length - 20)],
    ['without its last line', () => changed((all) => all.slice(0, -2).concat(''))],
    ['without a row', () => changed((all) => without(all, /^\[/))],
    ['with a value that was changed', () => changed((all) => all.map(renamed))],
    ['without a table', () => changed(withoutPhotos)],
    ['with a line after its end', () => changed((all) => [...all.slice(0, -1), '[]', ''])],
  ])('%s', async (_what, bytes) => {
    expect(await restoring(bytes())).toMatch(/^The backup is damaged: .*\. Nothing was changed\.$/)
  })

  it.each([
    ['a text', () => 'hello'],
    ['nothing', () => ''],
    ['a compressed text', () => zstdCompressSync('hello\nyou\n')],
    ['compressed lines of JSON', () => zstdCompressSync('{"format":"other"}\n')],
    ['a database', () => Buffer.from('SQLite format 3\0')],
  ])('%s', async (_what, bytes) => {
    expect(await restoring(bytes())).toBe('This file is no backup of a shop. Nothing was changed.')
  })

  it.each([
    ['of a newer format', () => withHeader({ version: 2 })],
    ['of a newer shop', () => withHeader({ migrations: ['9999_future'] })],
  ])('%s', async (_what, bytes) => {
    expect(await restoring(bytes())).toMatch(/^This backup was written by a newer shop.* first\.$/)
  })

  it('no file at all', async () => {
    const file = join(folder, 'nowhere')
    await expect(restoreBackup(opened.db, file)).rejects.toThrow('There is no such file.')
  })
})

it('a whole one is refused where there is a shop already', async () => {
  expect(await restoring(whole, false)).toMatch(/^There is a shop in this database already\./)
})

it('a whole one that the database refuses changes nothing', async () => {
  // a photo of a product that is not there, with its checksums made right
  const orphaned = changed((all) => {
    const at = all.indexOf('{"table":"products"}')
    const end = { end: 'products', ...tally().sum() }
    return [...all.slice(0, at + 1), JSON.stringify(end), ...all.slice(at + 3)]
  })
  expect(await restoring(orphaned)).toMatch(/violates foreign key constraint/)
})

function flipped(at: number) {
  const bytes = Buffer.from(whole)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at)
  return bytes
}

const without = (all: string[], pattern: RegExp) => {
  const at = all.findIndex((line) => pattern.test(line))
  return all.filter((_line, index) => index !== at)
}

const renamed = (line: string) => line.replace('"Cup"', '"Cap"')

const withoutPhotos = (all: string[]) => {
  const from = all.indexOf('{"table":"product_photos"}')
  const to = all.findIndex((line) => line.startsWith('{"end":"product_photos"'))
  return [...all.slice(0, from), ...all.slice(to + 1)]
}
