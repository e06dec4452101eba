/** BROWSER_FIELDS and the code of pages, compiled: a field that one of them forgets does not compile. */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BROWSER_FIELDS } from '#app/shared/contract/endpoint.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const LIST = 'app/shared/contract/endpoint.ts'
const PAGE = 'app/shared/web/page-of-this-test.ts'

/** Files that use what the browser has of an endpoint. */
const READERS = ['app/shared/web/call.ts', 'app/shared/web/transfer.ts', 'app/setup/contract.ts']

let tree: string
let list: string
beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'haat-fields-'))
  list = await readFile(join(ROOT, LIST), 'utf8')
  await cp(join(ROOT, 'app'), join(tree, 'app'), { recursive: true })
  for (const name of ['package.json', 'tsconfig.json']) await cp(join(ROOT, name), join(tree, name))
  for (const name of ['db', 'node_modules']) await symlink(join(ROOT, name), join(tree, name))
  const extended = { extends: './tsconfig.json', include: [], files: [...READERS, PAGE] }
  await writeFile(join(tree, 'fields.json'), JSON.stringify(extended))
})
afterAll(() => rm(tree, { recursive: true }))

/** The errors of the compiler, with this list and this page. */
async function errorsOf(changedList: string, page = 'export const page = 1') {
  await writeFile(join(tree, LIST), changedList)
  await writeFile(join(tree, PAGE), page)
  const words = [join(tree, 'node_modules/typescript/bin/tsc'), '-p', 'fields.json']
  const output = await new Promise<string>((resolve) =>
    execFile(process.execPath, words, { cwd: tree }, (_error, stdout) => resolve(stdout)),
  )
  return output.split('\n').filter((line) => line.includes('error TS'))
}

const reading = (field: string) => `
  import type { BrowserEndpoint } from '../contract/endpoint.ts'
  export const read = (endpoint: BrowserEndpoint) => endpoint.${field}`

const isOfReader = (error: string) => READERS.some((reader) => error.startsWith(reader))

it('the list as it is compiles', async () => {
  expect((await errorsOf(list)).filter(isOfReader)).toEqual([])
})

it.each(BROWSER_FIELDS)('a list without %s does not compile', async (field) => {
  const shorter = list.replace(new RegExp(`^  '${field}',\n`, 'm'), '')
  expect(shorter).not.toBe(list)
  expect((await errorsOf(shorter)).filter(isOfReader)).not.toEqual([])
})

it('a page compiles that reads a field of the list, and none that reads another one', async () => {
  const about = async (field: string) =>
    (await errorsOf(list, reading(field))).filter((line) => line.startsWith(PAGE))
  expect(await about('method')).toEqual([])
  expect(await about('cache')).toEqual([expect.stringContaining("'cache' does not exist")])
})
