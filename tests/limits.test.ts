import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { declared } from './support/declared.ts'

it('docs/limits.md lists the limits that are declared, and no others', async () => {
  const text = await readFile(new URL('../docs/limits.md', import.meta.url), 'utf8')
  const listed = [...text.matchAll(/^\| ((?:GET|POST|PUT|DELETE) .*?) *\|$/gm)].map(
    ([, row = '']) =>
      row
        .split('|')
        .slice(0, 4)
        .map((cell) => cell.trim()),
  )
  const limits = declared.flatMap(([, { method, path, limits = [] }]) =>
    limits.map(({ by, max, seconds }) => [`${method} ${path}`, by, `${max}`, `${seconds}`]),
  )
  expect(listed.sort()).toEqual(limits.sort())
})
