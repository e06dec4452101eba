/**
 * `npm run test:faults`: injects faults into running shops, prints a line for each, and fails when
 * anything was lost, or when a fault was skipped without --allow-skipped.
 */
import { parseArgs } from 'node:util'
import { seededRandom } from '#tests/support/razorpay/random.ts'
import { lineOf } from './fault.ts'
import { FAULTS } from './faults.ts'
import { openTrial } from './open-trial.ts'
import { type Line, writeReport } from './report.ts'
import { complaintsAbout } from './verdict.ts'

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '50' },
    workers: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'allow-skipped': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

const print = (line: string) => process.stdout.write(`${line}\n`)

const USAGE = `npm run test:faults -- [options]
  --short          as in npm run test:system: each fault once or twice
  --rounds N       how often to kill in the long form (50)
  --workers N      worker processes of a shop on PostgreSQL (1)
  --only TEXT      only faults whose name has this text
  --seed N         the same random numbers again
  --allow-skipped  do not fail where a fault cannot be tried here
  --write          write the lines at the end of docs/reliability.md`

if (values.help) {
  print(USAGE)
  process.exit(0)
}

const seed = Number(values.seed)
// the shops are stopped on exit
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const chosen = FAULTS.filter(({ name }) => name.includes(values.only))
if (chosen.length === 0) {
  process.stderr.write('Nothing was tried: no fault has such a name.\n')
  process.exit(1)
}
const { trial, close } = await openTrial({
  random: seededRandom(seed),
  workers: Number(values.workers),
  ...(!values.short && { rounds: Number(values.rounds) }),
})
print(`seed ${seed}`)
const lines: Line[] = []
try {
  for (const { name, run } of chosen) {
    process.stderr.write(`… ${name}\n`)
    const began = performance.now()
    const outcome = await run(trial)
    const seconds = Math.round((performance.now() - began) / 1000)
    lines.push({ name, outcome, seconds })
    print(`${lineOf(name, outcome)} (${seconds} s)`)
    if ('skipped' in outcome) continue
    for (const loss of outcome.losses.slice(0, 20)) print(`  ${loss}`)
  }
} finally {
  await close()
}
if (values.write) writeReport(lines, seed)
for (const complaint of complaintsAbout(lines, { allowSkipped: values['allow-skipped'] })) {
  process.stderr.write(`${complaint}\n`)
  process.exitCode = 1
}
