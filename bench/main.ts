/**
 * `npm run bench`: runs the benchmarks, prints the results and writes them to docs/benchmarks.md.
 * Arguments select parts; `--full` adds a shop of a million products.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { admin } from './admin/bench-admin.ts'
import { cache } from './cache/bench-cache.ts'
import { catalogue } from './catalogue/bench-catalogue.ts'
import { checkout } from './checkout/bench-checkout.ts'
import { openDatabases } from './fill/databases.ts'
import { describeLoad, describeMachine } from './machine.ts'
import type { Part, Run } from './part.ts'
import { processes } from './process/bench-process.ts'
import { withFound } from './report.ts'
import { visits } from './visit/bench-visit.ts'

const PARTS: Record<string, Part> = {
  cache,
  catalogue,
  checkout,
  process: processes,
  admin,
  visit: visits,
}
const SIZES = [1000, 100_000]
const LARGEST = 1_000_000

const REPORT = new URL('../docs/benchmarks.md', import.meta.url)

/** Measures a part and writes the results; returns whether all targets were met. */
async function runPart(name: string, part: Part, run: Run): Promise<boolean> {
  console.log(`\n# ${part.title}\n`)
  const began = performance.now()
  const before = describeLoad()
  const found = await part.measure(run)
  const seconds = Math.round((performance.now() - began) / 1000)
  const today = new Date().toISOString().slice(0, 10)
  const machine = `${today}, in ${seconds} s: ${describeMachine()}, load average ${before} when it began`
  const said = { found, when: `${today}, load ${before}`, machine }
  console.log(`\n${found.text}\n`)
  for (const { measure, target, measured, reached } of found.targets)
    console.log(`${reached ? 'Reached' : 'Not reached'}: ${measure}: ${measured} (${target})`)
  await writeFile(REPORT, withFound(await readFile(REPORT, 'utf8'), { name, ...part }, said))
  return found.targets.every(({ reached }) => reached)
}

async function runParts(names: string[], full: boolean): Promise<boolean> {
  const databases = await openDatabases()
  const run = { databases, sizes: full ? [...SIZES, LARGEST] : SIZES }
  let isReached = true
  try {
    for (const [name, part] of Object.entries(PARTS))
      if (names.includes(name)) isReached = (await runPart(name, part, run)) && isReached
    return isReached
  } finally {
    await databases.close()
  }
}

const { values, positionals } = parseArgs({
  options: { full: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) {
  console.error(`Usage: npm run bench [-- [${Object.keys(PARTS).join('] [')}] [--full]]`)
  process.exitCode = 2
} else {
  const names = positionals.length > 0 ? positionals : Object.keys(PARTS)
  process.exitCode = (await runParts(names, values.full)) ? 0 : 1
}
