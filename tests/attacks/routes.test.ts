/** Routes and build contain only declared entries, and each class of attack has a test. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { documentedCalls } from '#tests/support/documented-calls.ts'
import { CLASSES, ELSEWHERE, NOT_APPLICABLE } from './classes.ts'
import { isAllowedRoute } from './route-table.ts'
import { openWorld } from './support/world.ts'

const root = new URL('../../', import.meta.url)

describe('class 14: the running router', () => {
  const world = openWorld()

  it('has no route that is not in the table', () => {
    expect(world().routes.length).toBeGreaterThan(documentedCalls.length)
    expect(world().routes.filter((route) => !isAllowedRoute(route))).toEqual([])
  })

  it('would be refused with a job, another verb or a file', () => {
    const planted = ['GET /api/v1/job/run', 'PATCH /api/v1/auth/orders', 'GET /.env', 'POST /*']
    expect(planted.filter(isAllowedRoute)).toEqual([])
  })
})

/** Marks of React Server Components and server functions in a build. */
const RSC =
  /react-server-dom|decodeReply|registerServerReference|createFromReadableStream|"use server"/

describe('class 26: the build', () => {
  const scripts = ['build/server/', 'build/client/assets/'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(new URL(folder + name, root), 'utf8')),
  )

  it('has no deserialiser of objects: no server components, no server functions', () => {
    expect(scripts.length).toBeGreaterThan(10)
    expect(scripts.filter((script) => RSC.test(script))).toEqual([])
    expect('import{decodeReply}from"react-server-dom-webpack/server"').toMatch(RSC)
  })
})

describe('the classes of attack', () => {
  const folder = new URL('.', import.meta.url)
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))

  it('are all tried, or it is said where or why not', () => {
    const numbers = [...Object.keys(CLASSES), ...Object.keys(NOT_APPLICABLE)].map(Number)
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, n) => n + 1))
    const isTried = (number: string) =>
      Number(number) in ELSEWHERE ||
      sources.some((source) => new RegExp(`['"]class [^:']*\\b${number}\\b[^:']*:`).test(source))
    expect(Object.keys(CLASSES).filter((number) => !isTried(number))).toEqual([])
    const files = Object.values(ELSEWHERE).flat()
    expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([])
  })
})
