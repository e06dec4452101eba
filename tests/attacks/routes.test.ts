/** Class 14: the routes are those of the table, and each class of attack has its tests. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import pages from '#app/routes.ts'
import { declared } from '#tests/support/declared.ts'
import { CLASSES, NOT_APPLICABLE } from './classes.ts'
import { CALL_ROWS, isAllowedRoute, PAGE_ROWS } from './route-table.ts'
import { openWorld } from './support/world.ts'

type Page = {
  path?: string | undefined
  index?: boolean | undefined
  children?: Page[] | undefined
}

/** The addresses of the site map. */
const addressesOf = (all: Page[], above = ''): string[] =>
  all.flatMap(({ path, index, children = [] }) => {
    const here = path === undefined ? above : `${above}/${path}`
    const own = path !== undefined || index ? [here || '/'] : []
    return [...own, ...addressesOf(children, here)]
  })

const missing = (all: string[], from: string[]) => all.filter((one) => !from.includes(one))

describe('the table of routes', () => {
  const calls = declared.map(([, { access, method, path }]) => `${access} ${method} ${path}`)
  const addresses = [...new Set(addressesOf(pages))]

  it('has a row for each declared call, and lets in whom the declaration lets in', () => {
    expect(missing(calls, CALL_ROWS)).toEqual([])
    expect(missing(CALL_ROWS, calls)).toEqual([])
  })

  it('has a row for each page', () => {
    expect(missing(addresses, PAGE_ROWS)).toEqual([])
    expect(missing(PAGE_ROWS, addresses)).toEqual([])
  })

  it('notices a call, a page and an access without a row', () => {
    expect(missing(['public GET /job/run'], CALL_ROWS)).toHaveLength(1)
    expect(missing(['public GET /ledger'], CALL_ROWS)).toHaveLength(1)
    expect(missing(addressesOf([{ path: 'dashboard/admin/new' }]), PAGE_ROWS)).toHaveLength(1)
  })
})

describe('the running router', () => {
  const world = openWorld()

  it('has no route that is not in the table', () => {
    expect(world().routes.length).toBeGreaterThan(CALL_ROWS.length)
    expect(world().routes.filter((route) => !isAllowedRoute(route))).toEqual([])
  })

  it('would be refused with a job, another verb or a file', () => {
    const planted = ['GET /api/v1/job/run', 'PATCH /api/v1/auth/orders', 'GET /.env', 'POST /*']
    expect(planted.filter(isAllowedRoute)).toEqual([])
  })
})

describe('the classes of attack', () => {
  const folder = new URL('.', import.meta.url)
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))

  it('are all tried, or it is said why not', () => {
    const numbers = [...Object.keys(CLASSES), ...Object.keys(NOT_APPLICABLE)].map(Number)
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 29 }, (_, n) => n + 1))
    const isTried = (number: string) =>
      sources.some((source) => new RegExp(`['"]class [^:']*\\b${number}\\b[^:']*:`).test(source))
    expect(Object.keys(CLASSES).filter((number) => !isTried(number))).toEqual([])
  })
})
