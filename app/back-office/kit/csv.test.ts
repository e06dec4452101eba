import { expect, it } from 'vitest'
import { csvOf } from './csv.ts'

it.each([
  ['=1+1', `"'=1+1"`],
  ['＝1', `"'＝1"`],
  ['\nx', `"'\nx"`],
  ["'=1", `"''=1"`],
  ['Cup; blue', '"Cup; blue"'],
  ['a "b", c', '"a ""b"", c"'],
  ['', '""'],
])('quotes %j, and lets no spreadsheet execute it', (text, cell) => {
  expect(csvOf([[text, -1.5]])).toBe(`${cell},-1.5\r\n`)
})
