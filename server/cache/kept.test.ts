import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { keep } from './kept.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

const idOf = (at: number) => `${String(at).padStart(8, '0')}-0000-0000-0000-000000000000`

function page(at: number) {
  const body = Buffer.from(`<p>${'x'.repeat(80_000)} ${idOf(at)}</p>`)
  const reply = { status: 200, headers: { 'content-type': 'text/html' }, body }
  return keep(reply, { key: `/${at}`, route: '/' }, 0)
}

describe('what is kept', () => {
  it('knows the ids that stand in it, and keeps its text only once', () => {
    const pages = [page(0)]
    collect()
    const before = process.memoryUsage().heapUsed
    for (let at = 1; at <= 200; at += 1) pages.push(page(at))
    collect()
    const grown = process.memoryUsage().heapUsed - before
    // the texts together, which are outside of the heap, are 16 MB
    expect(grown).toBeLessThan(4_000_000)
    expect(pages.map(({ ids }) => [...ids])).toEqual(pages.map((_, at) => [idOf(at)]))
  })
})
