import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { unpackDatabase } from './database-image.ts'

const removeAtEnd = (folder: string) =>
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** An empty folder for the tests of one file. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'haat-test-'))
  removeAtEnd(folder)
  return folder
}

/** A data folder with the embedded database of an empty shop, for the tests of one file. */
export async function testDataFolder(): Promise<string> {
  const folder = await unpackDatabase()
  removeAtEnd(folder)
  return folder
}
