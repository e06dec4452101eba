/**
 * `npm run bench`: measures the shop and prints the figures. With names of parts only those.
 * `--write` writes the figures into docs/benchmarks.md, `--full` adds a shop of a million products,
 * `--short` only tries the parts, `--shop FOLDER` measures the shop of another checkout, in `checkout`
 * beside this one.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findBinaries } from '#tests/support/postgres.ts'
import { lists } from './back-office/bench-lists.ts'
import { cache } from './cache/bench-cache.ts'
import { edits } from './cache/bench-edit.ts'
import { catalogue } from './catalogue/bench-catalogue.ts'
import { variants } from './catalogue/bench-variants.ts'
import { checkout } from './checkout/bench-checkout.ts'
import { openDatabases } from './fill/databases.ts'
import { describeLoad, describeMachine } from './machine.ts'
import type { Part, Run } from './part.ts'
import { processes } from './process/bench-process.ts'
import { withResult } from './report.ts'
import { THIS_CHECKOUT } from './shop.ts'
import { visits } from './visit/bench-visit.ts'

const PARTS: Record<string, Part> = {
  cache,
  edit: edits,
  catalogue,
  lists,
  variants,
  checkout,
  process: processes,
  visit: visits,
}
const WITHOUT_POSTGRES = ['visit']
const SIZES = [1000, 100_000]
const MAX_SIZE = 1_000_000
const SHORT_SIZES = [500, 2000]

const REPORT = new URL('../docs/benchmarks.md', import.meta.url)

type Options = { full: boolean; short: boolean; write: boolean; shop: string }

/** Measures a part, prints it, and returns whether all targets were reached. */
async function runPart(name: string, run: Run, write: boolean): Promise<boolean> {
  const part = PARTS[name]
  if (!part) return true
  console.log(`\n# ${part.title}\n`)
  const startedAt = performance.now()
  const loadBefore = describeLoad()
  const result = await part.measure(run)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const today = new Date().toISOString().slice(0, 10)
  const when = `${today}, load ${loadBefore}`
  const machine = `${today}, in ${seconds} s: ${describeMachine()}, load average ${loadBefore} at the start`
  console.log(`\n${result.text}\n\n${machine}\n`)
  for (const { measure, target, measured, reached } of result.targets)
    console.log(`${reached ? 'Reached' : 'Missed'}: ${measure}: ${measured} (${target})`)
  const { title } = part
  if (write) {
    const document = await readFile(REPORT, 'utf8')
    await writeFile(REPORT, withResult(document, { name, title }, { result, when, machine }))
  }
  return result.targets.every(({ reached }) => reached)
}

function sizesOf({ full, short }: Options): number[] {
  if (short) return SHORT_SIZES
  return full ? [...SIZES, MAX_SIZE] : SIZES
}

async function runParts(names: string[], options: Options): Promise<boolean> {
  const checkout = resolve(options.shop)
  const databases = await openDatabases(checkout)
  const run = { databases, checkout, sizes: sizesOf(options), isShort: options.short }
  let isReached = true
  try {
    for (const name of names) isReached = (await runPart(name, run, options.write)) && isReached
    return isReached
  } finally {
    await databases.close()
  }
}

const { values, positionals } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    shop: { type: 'string', default: THIS_CHECKOUT },
  },
  allowPositionals: true,
})
const names = positionals.length > 0 ? positionals : Object.keys(PARTS)
const isOfThis =
  values.shop === THIS_CHECKOUT || names.every((name) => PARTS[name]?.comparesShops === true)
const isNeverWritten = values.write && (values.short || !isOfThis)
if (names.some((name) => !Object.hasOwn(PARTS, name)) || isNeverWritten) {
  const parts = Object.keys(PARTS).join('] [')
  console.error(`Usage: npm run bench [-- [${parts}] [--full] [--write | --short] [--shop FOLDER]]`)
  process.exitCode = 2
} else if (!findBinaries() && names.some((name) => !WITHOUT_POSTGRES.includes(name))) {
  console.error("The benchmark needs PostgreSQL's programs (initdb, postgres, pgbench).")
  process.exitCode = 2
} else {
  const isReached = await runParts(names, values)
  process.exitCode = isReached || values.short ? 0 : 1
}
