import { expect, it } from 'vitest'
import { escapeFormula, unescapeFormula } from '#app/shared/model/formula.ts'
import { type CsvColumns, csvText } from './write.ts'

const HOSTILE = [
  "+1+cmd|' /C calc'!A0",
  '+1;=1+1',
  '+1\n=1',
  '+1\t=1',
  '+43 660\r=1',
  '+1=1',
  '+1@1',
  '+1+1',
  '+1*1',
  '+A1',
  '+R1C1',
  '+1,1',
  '+1!1',
  '++1',
  '+-()',
  '＋43 660',
  '-43 660',
  '+٤٣ 660',
]

it.each([
  ...['=1+1', '+SUM(1)', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1', "'=1", "''@x", "'+43 660"],
  ...HOSTILE,
])('neutralises %j, and takes it back', (text) => {
  expect(escapeFormula(text)).toBe(`'${text}`)
  expect(unescapeFormula(escapeFormula(text))).toBe(text)
})

it.each(['+43 1 5550199', '+1 (555) 010-01.99', '+49 30/1234', '+1', '+43\u00a0660'])(
  'leaves the phone %j alone, and takes back what an earlier export made of it',
  (phone) => {
    expect(escapeFormula(phone)).toBe(phone)
    expect(unescapeFormula(phone)).toBe(phone)
    expect(unescapeFormula(`'${phone}`)).toBe(phone)
  },
)

it.each(["'Tis the season", "''", 'a=1', 'Mug', '', '7', "rock 'n' roll", "'90s poster"])(
  'leaves %j alone, both ways',
  (text) => {
    expect(escapeFormula(text)).toBe(text)
    expect(unescapeFormula(text)).toBe(text)
  },
)

it.each([
  ["'0012345", '0012345'],
  ["'4006381333931", '4006381333931'],
  ["'978-3-16", '978-3-16'],
])('takes the apostrophe off %j, which a spreadsheet wrote before a number', (cell, text) => {
  expect(unescapeFormula(cell)).toBe(text)
  expect(unescapeFormula(escapeFormula(cell))).toBe(cell)
  expect(escapeFormula(text)).toBe(text)
})

it('writes texts in quotes, numbers without, and says that it is UTF-8', async () => {
  async function* pages() {
    yield [{ name: 'a "b", c', price: -1.5 }]
    yield [{ name: 'line\nline', price: 0 }]
  }
  const COLUMNS: CsvColumns<{ name: string; price: number }> = {
    name: ({ name }) => name,
    price: ({ price }) => price,
  }
  let written = ''
  for await (const text of csvText(COLUMNS, pages())) written += text
  expect(written).toBe('\ufeff"name","price"\r\n"a ""b"", c",-1.5\r\n"line\nline",0\r\n')
})
