/** The memory of a shop with the embedded database: 512 MB are enough, at each start and after it. */
import { readFileSync } from 'node:fs'
import { beforeEach, expect, it, vi } from 'vitest'
import { testFolder } from '#tests/support/test-folder.ts'
import { childrenOf } from '../support/children-of.ts'
import { startShopProcess } from '../support/shop-process.ts'

// the first start creates a database
vi.setConfig({ testTimeout: 180_000 })

/** Of 512 MB, without what the kernel and the page cache need. */
const MAX_MB = 450
const SAMPLE_MS = 10
const REQUESTS = 300

const folder = testFolder()
beforeEach(({ skip }) => {
  if (process.platform !== 'linux') skip('Memory is read from /proc, which only Linux has.')
})

const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])

/** The memory that a process alone has; 0 when it has ended. */
function ownMb(pid: number): number {
  try {
    const [, kilobytes = '0'] =
      /RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return 0
  }
}

/** Watches all processes that this one starts; `peak` is their largest memory at one moment, in MB. */
function watchMemory() {
  let peak = 0
  const timer = setInterval(() => {
    const sum = descendantsOf(process.pid).reduce((total, pid) => total + ownMb(pid), 0)
    peak = Math.max(peak, Math.round(sum))
  }, SAMPLE_MS)
  return { peak: () => peak, stop: () => clearInterval(timer) }
}

it.each(['the first start', 'a later start'])(
  '%s and what follows need less than 512 MB',
  async () => {
    const memory = watchMemory()
    const shop = await startShopProcess({ DATA_DIR: folder, DEMO: 'off', CACHE_MB: '0' })
    for (let count = 0; count < REQUESTS; count += 1)
      expect((await fetch(`${shop.address}/api/v1/category/get-category`)).status).toBe(200)
    memory.stop()
    expect(await shop.stop()).toBe(0)
    expect(memory.peak()).toBeGreaterThan(100)
    expect(memory.peak()).toBeLessThan(MAX_MB)
  },
)
