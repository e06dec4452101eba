/** The shop with the packages of `npm ci --omit=dev`: without those of build, tests and browsers. */
import { execFileSync, spawn } from 'node:child_process'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { photoUrl, productCalls } from '#app/products/contract.ts'
import { DEMO_CUSTOMER } from '#demo/accounts.ts'
import { testDataFolder, testFolder } from '#tests/support/test-folder.ts'
import { logIn } from '../support/journey.ts'
import { plainLines } from '../support/plain-lines.ts'
import { copyBuild, installProduction } from '../support/production-install.ts'
import { buy } from '../support/purchase.ts'
import { startShopProcess } from '../support/shop-process.ts'

vi.setConfig({ testTimeout: 120_000 })

/** The size on disk of all packages beside the packaged Node. */
const PACKAGES_MB = 150

const folder = testFolder()
const dataDir = await testDataFolder()
beforeAll(() => installProduction(folder))

/** Runs npm in the folder. Its own settings of the test run stay behind. */
async function npm(...words: string[]) {
  const PATH = (process.env.PATH ?? '').replace(/[^:]*node_modules[^:]*:/g, '')
  const running = spawn('npm', words, {
    cwd: folder,
    env: { ...process.env, PATH, DATA_DIR: dataDir, DATABASE_URL: '', PORT: '0', NO_COLOR: '1' },
  })
  const code = new Promise((resolve) => running.once('close', resolve))
  const [out, error] = await Promise.all([text(running.stdout), text(running.stderr)])
  return { written: plainLines(out + error), code: await code }
}

describe.skipIf(process.platform !== 'linux')('a production install', () => {
  it(`takes at most ${PACKAGES_MB} MB beside the packaged Node`, () => {
    const words = ['--summarize', '--block-size=1M', '--exclude=node-linux-*', 'node_modules']
    const [megabytes = ''] = execFileSync('du', words, { cwd: folder, encoding: 'utf8' }).split(
      '\t',
    )
    expect(Number(megabytes)).toBeGreaterThan(50)
    expect(Number(megabytes)).toBeLessThanOrEqual(PACKAGES_MB)
  })

  it('says in one line what to do when there is no build', async () => {
    const { written, code } = await npm('--silent', 'start')
    expect(written.trimEnd().split('\n').at(-1)).toBe(
      'The folder build is missing. The packages that build it are not installed: run `npm ci && npm run build && npm prune --omit=dev`, or copy the folder from another machine.',
    )
    expect(code).toBe(1)
  })

  it('makes the photos of the demo, sells, and examines itself', async () => {
    await copyBuild(folder)
    // npm prune writes it again
    await utimes(join(folder, 'package-lock.json'), new Date(), new Date())
    const shop = await startShopProcess({ DATA_DIR: dataDir, DEMO: 'on' }, folder)
    try {
      const customer = await logIn(shop.address, DEMO_CUSTOMER)
      const { products } = await customer.call(productCalls.listProducts, { params: { page: 1 } })
      const [product] = products
      if (!product) throw new Error('The demo has no products.')
      const order = await buy(customer, [product])
      expect(order.products).toHaveLength(1)
      const photo = async () => (await fetch(shop.address + photoUrl(product, 320))).status
      await expect.poll(photo, { timeout: 60_000 }).toBe(200)
      const page = await fetch(shop.address)
      expect(await page.text()).toContain(product.name)
      const doctor = await npm('run', '--silent', 'shop', '--', 'doctor')
      expect(doctor.written).toMatch(/^ok +Database: /m)
      expect(shop.written()).not.toContain('older')
    } finally {
      await shop.stop()
    }
  })
})
