import { readFileSync, writeFileSync } from 'node:fs'
import { describeMachine } from '#bench/machine.ts'
import { table } from '#bench/table.ts'
import type { Line } from './measure.ts'

const FILE = new URL('../../docs/reliability.md', import.meta.url)
/** Between them is what a run writes. */
const BEGIN = '<!-- test:cluster -->'
const END = '<!-- /test:cluster -->'

const HEADER = [
  'fault',
  'requests',
  'reads failed',
  'purchases failed',
  'recovered after',
  'orders',
  'orders lost',
  'oversold',
  'refunds doubled',
  'limits exceeded by',
]

export const cellsOf = ({ name, balance, ...line }: Line): string[] => [
  name,
  `${line.requests}`,
  `${line.readsFailed}`,
  `${line.purchasesFailed}`,
  `${line.seconds.toFixed(1)} s`,
  `${line.orders}`,
  `${balance.lost.length}`,
  `${balance.oversold}`,
  `${balance.doubled.length}`,
  `${line.exceeded}`,
]

/** The lines as text, each cell with its name. */
export const textOf = (line: Line): string =>
  cellsOf(line)
    .map((cell, column) => (column === 0 ? `${cell}:` : `${HEADER[column]} ${cell}`))
    .join(', ')
    .replace(':,', ':')

/** Writes the lines into docs/reliability.md, with the date and the machine. */
export function writeReport(lines: Line[], more: string[], seed: number) {
  const [before = '', rest = ''] = readFileSync(FILE, 'utf8').split(BEGIN)
  const [, after = ''] = rest.split(END)
  const day = new Date().toISOString().slice(0, 10)
  const origin = `Written by \`npm run test:cluster -- --write\` on ${day}, seed ${seed}: ${describeMachine()}.`
  const found = [BEGIN, origin, table(HEADER, lines.map(cellsOf)), ...more, END].join('\n\n')
  writeFileSync(FILE, `${before}${found}${after}`)
}
