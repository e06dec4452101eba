/**
 * `npm run test:cluster`: starts the cluster of deploy/cluster on this machine, injects faults while people
 * shop, prints a line for each, and fails when an aim is missed.
 */
import { parseArgs } from 'node:util'
import { seededRandom } from '#tests/support/razorpay/random.ts'
import { compareDurability } from './durability.ts'
import { FAULTS, fakeTime, upgradeTo } from './faults.ts'
import { openField } from './field.ts'
import { type Line, measure } from './measure.ts'
import { missingPrograms } from './missing-programs.ts'
import { buildPrevious, makeNext } from './previous-version.ts'
import { textOf, writeReport } from './report.ts'

/** The disk of each PostgreSQL. */
const DISK_MB = 1024
/** How many complaints of a fault are printed. */
const SHOWN = 20

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    write: { type: 'boolean', default: false },
  },
})

const print = (line: string) => process.stdout.write(`${line}\n`)

const missing =
  missingPrograms() ??
  (fakeTime ? undefined : 'Skipped: libfaketime not found. On Debian: apt install libfaketime')
if (missing) {
  print(missing)
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const seed = Number(values.seed)
const random = seededRandom(seed)
const isWhole = values.only === ''
print(`seed ${seed}`)
const versions = isWhole ? [buildPrevious(), makeNext()] : []
const [previous, next] = versions
const upgrades = next ? [upgradeTo(next.folder)] : []
const chosen = [...upgrades, ...FAULTS.filter(({ name }) => name.includes(values.only))]
const field = await openField(random, {
  diskMb: DISK_MB,
  ...(previous && { shopRoots: [previous.folder, previous.folder] }),
})
print(`the cluster is open after ${Math.round(performance.now() / 1000)} s`)
const lines: Line[] = []
const sentences: string[] = []
try {
  for (const fault of chosen) {
    const began = performance.now()
    const line = await measure(field, fault)
    lines.push(line)
    print(`${textOf(line)} (${Math.round((performance.now() - began) / 1000)} s)`)
    for (const complaint of line.complaints.slice(0, SHOWN)) print(`  ${complaint}`)
  }
  if (isWhole) sentences.push(...(await compareDurability(field, random)))
  else await field.close()
  for (const sentence of sentences) print(sentence)
} finally {
  for (const { remove } of versions) remove()
}
if (values.write) writeReport(lines, sentences, seed)
const isFine = lines.every(({ complaints }) => complaints.length === 0)
print(isFine ? 'Every aim was met.' : 'An aim was missed.')
process.exit(isFine ? 0 : 1)
