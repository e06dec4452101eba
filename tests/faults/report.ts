import { readFileSync, writeFileSync } from 'node:fs'
import { describeMachine } from '#bench/machine.ts'
import { table } from '#bench/table.ts'
import { lineOf, type Outcome } from './fault.ts'

export type Line = { name: string; outcome: Outcome | { skipped: string }; seconds: number }

const FILE = new URL('../../docs/reliability.md', import.meta.url)
/** The section is the last of the file, which is written by hand up to it. */
const HEADING = '## The last full run'

/** Writes the lines as the last section of docs/reliability.md, with the date and the machine. */
export function writeReport(lines: Line[], seed: number) {
  const [before = ''] = readFileSync(FILE, 'utf8').split(HEADING)
  const rows = lines.map(({ name, outcome, seconds }) => {
    const [, ...words] = lineOf(name, outcome).split(': ')
    return [name, words.join(': '), `${seconds} s`]
  })
  const day = new Date().toISOString().slice(0, 10)
  const origin = `Written by \`npm run test:faults -- --write\` on ${day}, seed ${seed}: ${describeMachine()}.`
  const found = table(['fault', 'what was counted', 'took'], rows)
  writeFileSync(FILE, `${before.trimEnd()}\n\n${HEADING}\n\n${origin}\n\n${found}\n`)
}
