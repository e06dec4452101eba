/**
 * `npm run test:faults [-- --short] [--rounds N] [--only TEXT] [--seed N] [--write]`: does to the shop what
 * must not hurt it, prints a line a fault, and fails when anything was lost. `--write` puts the
 * lines into docs/reliability.md.
 */
import { parseArgs } from 'node:util'
import { throwDice } from './dice.ts'
import { lineOf } from './fault.ts'
import { FAULTS } from './faults.ts'
import { openTrial } from './open-trial.ts'
import { type Line, writeReport } from './report.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '50' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    write: { type: 'boolean', default: false },
  },
})

const print = (line: string) => process.stdout.write(`${line}\n`)

const seed = Number(values.seed)
// who stops this stops the shops, too
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const { trial, close } = await openTrial({
  dice: throwDice(seed),
  ...(!values.short && { rounds: Number(values.rounds) }),
})
print(`seed ${seed}`)
const lines: Line[] = []
try {
  for (const { name, run } of FAULTS.filter(({ name }) => name.includes(values.only))) {
    const began = performance.now()
    const outcome = await run(trial)
    const seconds = Math.round((performance.now() - began) / 1000)
    lines.push({ name, outcome, seconds })
    print(`${lineOf(name, outcome)} (${seconds} s)`)
    if ('skipped' in outcome || outcome.losses.length === 0) continue
    process.exitCode = 1
    for (const loss of outcome.losses.slice(0, 20)) print(`  ${loss}`)
  }
} finally {
  await close()
}
if (values.write) writeReport(lines, seed)
