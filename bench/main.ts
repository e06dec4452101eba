/** `npm run bench -- admin`: measures and prints; admin and visit also write to docs/benchmarks.md. */
import { benchAdmin } from './admin/bench-admin.ts'
import { benchCache } from './cache/bench-cache.ts'
import { benchVisit } from './visit/bench-visit.ts'

const BENCHMARKS: Record<string, () => Promise<boolean>> = {
  admin: benchAdmin,
  cache: benchCache,
  visit: benchVisit,
}

const name = process.argv[2] ?? ''
const bench = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined
if (bench) {
  process.exitCode = (await bench()) ? 0 : 1
} else {
  console.error(`Usage: npm run bench -- ${Object.keys(BENCHMARKS).join(' | ')}`)
  process.exitCode = 2
}
