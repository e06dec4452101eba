/**
 * `npm run test:cluster`: starts the cluster of deploy/cluster on this machine, injects faults while clients
 * use it, prints a line for each, and fails when an aim is missed.
 */
import { parseArgs } from 'node:util'
import { demandPrograms } from '#tests/support/needed-programs.ts'
import { seededRandom } from '#tests/support/razorpay/random.ts'
import type { ClusterOptions } from './cluster.ts'
import { type Durability, describe, tryDurability } from './durability.ts'
import { FAULTS, upgradeTo } from './faults.ts'
import { type Field, openField } from './field.ts'
import { type Fault, type Line, measure } from './measure.ts'
import { buildPrevious, makeNext } from './previous-version.ts'
import { textOf, writeReport } from './report.ts'

/** The disk of each PostgreSQL. */
const DISK_MB = 1024
/** How many clusters with synchronous replication are compared with as many without it. */
const COMPARISONS = 3
/** How many failures of a fault are printed. */
const SHOWN = 20

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    write: { type: 'boolean', default: false },
  },
})

const print = (line: string) => process.stdout.write(`${line}\n`)

demandPrograms('cluster')
const seed = Number(values.seed)
const random = seededRandom(seed)
print(`seed ${seed}`)

/** Removes, in reverse order, what the run has started; also after an error. */
const remaining: (() => Promise<void> | void)[] = []
async function cleanUp() {
  for (const remove of remaining.splice(0).toReversed()) await remove()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => cleanUp().finally(() => process.exit(1)))

async function open(options: ClusterOptions): Promise<Field> {
  const field = await openField(random, options)
  remaining.push(field.close)
  return field
}

async function injectAll(field: Field, faults: Fault[]): Promise<Line[]> {
  const lines: Line[] = []
  for (const fault of faults) {
    const began = performance.now()
    const line = await measure(field, fault)
    lines.push(line)
    print(`${textOf(line)} (${Math.round((performance.now() - began) / 1000)} s)`)
    for (const failure of line.failures.slice(0, SHOWN)) print(`  ${failure}`)
  }
  return lines
}

/** The speed and the losses of new clusters on the same disks, with and without synchronous replication. */
async function compareReplication() {
  const synchronous: Durability[] = []
  const without: Durability[] = []
  for (let round = 0; round < COMPARISONS; round += 1) {
    for (const results of [synchronous, without]) {
      const options = { diskMb: DISK_MB, synchronous: results === synchronous }
      results.push(await tryDurability(await open(options)))
      await cleanUp()
    }
  }
  const lost = synchronous.reduce((sum, result) => sum + result.lost, 0)
  return { lost, sentences: describe(synchronous, without) }
}

/** All faults, from the previous commit's code on, and what synchronous replication costs. */
async function runAll() {
  const [previous, next] = [buildPrevious(), makeNext()]
  remaining.push(previous.remove, next.remove)
  const shopRoots = [previous.folder, previous.folder]
  const field = await open({ diskMb: DISK_MB, shopRoots })
  const lines = await injectAll(field, [upgradeTo(next.folder), ...FAULTS])
  await cleanUp()
  return { lines, ...(await compareReplication()) }
}

async function runOnly(text: string) {
  const chosen = FAULTS.filter(({ name }) => name.includes(text))
  return { lines: await injectAll(await open({ diskMb: DISK_MB }), chosen), sentences: [], lost: 0 }
}

try {
  const { lines, sentences, lost } = await (values.only === '' ? runAll() : runOnly(values.only))
  for (const sentence of sentences) print(sentence)
  if (values.write) writeReport(lines, sentences, seed)
  const isMet = lines.length > 0 && lines.every(({ failures }) => failures.length === 0)
  const isFine = isMet && lost === 0
  print(isFine ? 'Every aim was met.' : 'An aim was missed.')
  process.exitCode = isFine ? 0 : 1
} finally {
  await cleanUp()
}
