/** `npm run bench -- admin`: measures and prints; admin also writes to docs/benchmarks.md. */
import { benchAdmin } from './admin/bench-admin.ts'
import { benchCache } from './cache/bench-cache.ts'

const BENCHMARKS: Record<string, () => Promise<boolean>> = {
  admin: benchAdmin,
  cache: benchCache,
}

const name = process.argv[2] ?? ''
const bench = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined
if (bench) {
  process.exitCode = (await bench()) ? 0 : 1
} else {
  console.error(`Usage: npm run bench -- ${Object.keys(BENCHMARKS).join(' | ')}`)
  process.exitCode = 2
}
