/** Two machines are one shop: each has a folder of its own, and both use one database. */
import { execFileSync } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { accountCalls } from '#app/accounts/contract.ts'
import { sessionCalls } from '#app/accounts/session-contract.ts'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { categoryCalls } from '#app/categories/contract.ts'
import { type EmailState, emailAdminCalls } from '#app/emails/admin-contract.ts'
import { orderCalls } from '#app/orders/contract.ts'
import { paymentCalls } from '#app/payments/contract.ts'
import { sandboxCalls } from '#app/payments/server/providers/sandbox.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { photoUrl, productCalls } from '#app/products/contract.ts'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { pictureUrl } from '#app/settings/contract.ts'
import { setupCalls } from '#app/setup/contract.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { openAlternatingProxy } from '../support/alternating-proxy.ts'
import { callAs } from '../support/call-as.ts'
import { codeIn, FIRST_RUN } from '../support/first-run.ts'
import { fileOf } from '../support/form.ts'
import { noise } from '../support/pictures.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import type { ShopProcess } from '../support/shop-process.ts'
import { mailSettings, openSmtp, type Smtp } from '../support/smtp.ts'
import { openMachines } from '../support/two-machines.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const PROMISED = { interval: 20 }
/** Jobs run every two seconds, on a busy machine later. */
const PATIENT = { timeout: 30_000 }

let postgres: Postgres | null
let machines: Awaited<ReturnType<typeof openMachines>>
let smtp: Smtp
let east: ShopProcess
let west: ShopProcess
let adminToken: string

const SETTINGS = {
  DEMO: 'off',
  PAYMENTS: 'sandbox',
  RATE_LIMIT: 'on',
  TRUST_PROXY: '127.0.0.1',
}

const callAt = ({ address }: { address: string }, token?: string) => callAs(address, token)

const bytesAt = async ({ address }: ShopProcess, path: string) => {
  const answer = await fetch(address + path)
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

beforeAll(async () => {
  postgres = await startPostgres()
  if (!postgres) return
  smtp = await openSmtp()
  machines = await openMachines(postgres.url)
  // at the same time, on an empty database
  ;({ east, west } = await machines.start({ ...SETTINGS, ...mailSettings(smtp) }))
  const code = await vi.waitFor(() => codeIn(east.written()), PATIENT)
  const made = await callAt(west)(setupCalls.makeFirstAdmin, { body: { ...FIRST_RUN, code } })
  adminToken = made.token
})
afterAll(async () => {
  await machines?.close()
  await smtp?.close()
  await postgres?.stop()
})
beforeEach(({ skip }) => {
  if (!postgres) skip('PostgreSQL is not installed here, and several machines need it.')
})

const COLUMNS = 'name,description,price,quantity,category'

let registered = 0
const customer = () => {
  registered += 1
  const email = `customer-${registered}@example.com`
  return {
    name: 'Asha Rao',
    phone: '1',
    address: 'Pune',
    email,
    password: 'correct-horse',
    answer: 'a',
  }
}

/** Registers at one machine and logs in at the other; returns the session token. */
async function signIn(): Promise<string> {
  const body = customer()
  await callAt(east)(accountCalls.register, { body })
  return (await callAt(west)(accountCalls.login, { body })).token
}

async function createProduct(name: string) {
  const admin = callAt(east, adminToken)
  const { category } = await admin(categoryAdminCalls.createCategory, {
    body: { name: `${name}s` },
  })
  const photo = fileOf(await noise(640, 480).jpeg().toBuffer())
  const facts = { name, description: 'Holds tea.', price: 12.5, quantity: 10, shipping: 0 as const }
  const body = { ...facts, category: category._id }
  return (await admin(productAdminCalls.createProduct, { body, photo })).products
}

const startPayment = (at: { address: string }, token: string, { _id }: { _id: string }) =>
  callAt(at, token)(paymentCalls.startPayment, { body: { amount: 1250, cart: [{ _id }] } })

const namesAt = async (at: ShopProcess) =>
  (await callAt(at)(productCalls.listProducts, { params: { page: 1 } })).products.map(
    ({ name }) => name,
  )

describe('the first run', () => {
  it('takes the code of one machine at the other, and ends at both', async () => {
    const code = await vi.waitFor(() => codeIn(west.written()), PATIENT)
    const again = callAt(east)(setupCalls.makeFirstAdmin, { body: { ...FIRST_RUN, code } })
    await expect(again).rejects.toThrow('This shop has an admin already.')
  })
})

describe('a session', () => {
  it('of one machine is one of the other, and ends at both', async () => {
    const token = await signIn()
    await callAt(east, token)(sessionCalls.logout)
    await expect(callAt(west, token)(sessionCalls.checkUser)).rejects.toThrow()
  })
})

describe('what an admin changes at one machine', () => {
  it('is seen at the other within a second, with its pictures', async () => {
    await namesAt(west)
    const product = await createProduct('Cup')
    await expect.poll(() => namesAt(west), PROMISED).toContain('Cup')
    const photo = photoUrl(product, 320)
    expect(await bytesAt(west, photo)).toEqual(await bytesAt(east, photo))
    expect((await bytesAt(west, photo)).status).toBe(200)
  })

  it('may be a picture of the settings', async () => {
    const photo = fileOf(await noise(640, 480).jpeg().toBuffer())
    const upload = { body: {}, photo }
    const { picture } = await callAt(east, adminToken)(settingsAdminCalls.uploadPicture, upload)
    const shown = await bytesAt(west, pictureUrl(picture.id, 400))
    expect(shown).toEqual(await bytesAt(east, pictureUrl(picture.id, 400)))
    expect(shown.status).toBe(200)
  })

  it('may be a file of products that the other has checked', async () => {
    const upload = async ({ address }: ShopProcess, query: string) => {
      const headers = { authorization: adminToken, 'content-type': 'text/csv' }
      const body = `${COLUMNS}\nBowl,Holds rice.,3,5,Bowls\n`
      const path = `${address}${API_PREFIX}/product/import?createCategories=true${query}`
      return (await fetch(path, { method: 'POST', headers, body })).text()
    }
    expect(await upload(west, '&dryRun=true')).toContain('"success":true')
    expect(await upload(east, '')).toContain('"imported":true')
    await expect.poll(() => namesAt(west), PROMISED).toContain('Bowl')
  })

  it("may come from the owner's command", async () => {
    const file = join(machines.folder, 'products.csv')
    await writeFile(file, `${COLUMNS}\nJug,Holds water.,3,5,Jugs\n`)
    await callAt(west)(categoryCalls.getCategories)
    execFileSync(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        'bin/shop.ts',
        'import',
        file,
        '--create-categories',
      ],
      { cwd: ROOT, env: { ...process.env, ...machines.environmentOf('east') } },
    )
    const categories = () => callAt(west)(categoryCalls.getCategories)
    await expect
      .poll(async () => (await categories()).category.map(({ name }) => name), PROMISED)
      .toContain('Jugs')
  })
})

describe('a customer', () => {
  it('registers and buys, though each request goes to the other machine', async () => {
    const product = await createProduct('Pot')
    const proxy = await openAlternatingProxy([east.address, west.address])
    const body = customer()
    await callAs(proxy.address)(accountCalls.register, { body })
    const { token } = await callAs(proxy.address)(accountCalls.login, { body })
    const call = callAs(proxy.address, token)
    const { id } = await startPayment(proxy, token, product)
    const proof = await call(sandboxCalls.payInSandbox, { body: { razorpay_order_id: id } })
    const { order } = await call(paymentCalls.verifyPayment, { body: proof })
    expect(await call(orderCalls.getOrders, { query: {} })).toEqual([order])
    await proxy.close()
  })
})

const listed = (state: EmailState) =>
  callAt(west, adminToken)(emailAdminCalls.getEmails, { query: { state } })

describe('e-mails', () => {
  const queued = async () => (await listed('queued')).length

  it('are sent by both machines, and none twice', async () => {
    await expect.poll(queued, PATIENT).toBe(0)
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const begun = [first, second].values()
    smtp.behaviour.received = () => {
      begun.next().value?.resolve()
      return second.promise
    }
    await callAt(east)(accountCalls.register, { body: customer() })
    await first.promise
    // by the other machine: a run of the job takes none that come while it sends
    await callAt(east)(accountCalls.register, { body: customer() })
    await second.promise
    await expect.poll(queued, PATIENT).toBe(0)
    expect((await listed('sent')).map(({ recipient }) => recipient).sort()).toEqual(
      smtp.received.map(({ to }) => to).sort(),
    )
  })
})

describe('documents for search engines', () => {
  it.each(['/product-feed.xml', '/sitemap.xml', '/robots.txt', '/feed.xml', '/favicon.ico'])(
    '%s is the same at both machines',
    async (path) => {
      const answer = await bytesAt(east, path)
      expect(answer.status).toBe(200)
      expect(await bytesAt(west, path)).toEqual(answer)
    },
  )
})

describe('limits', () => {
  it('are counted by both machines together, also without Redis', async () => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' }
    const statusAt = async ({ address }: ShopProcess) => {
      const path = `${address}${API_PREFIX}/auth/register`
      return (await fetch(path, { method: 'POST', headers, body: '{}' })).status
    }
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) {
      const twenty = Array.from({ length: 20 }, (_, at) => statusAt(at % 2 === 0 ? east : west))
      statuses.push(...(await Promise.all(twenty)))
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(100)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })
})

describe('the folders', () => {
  it('may be deleted while the machines run', async () => {
    const feed = await bytesAt(east, '/product-feed.xml')
    await machines.deleteFolders()
    for (const machine of [east, west])
      expect(await bytesAt(machine, '/product-feed.xml')).toEqual(feed)
    expect(await readdir(machines.folders[1] ?? '')).toHaveLength(1)
  })

  it('may be deleted between two starts, in the middle of a payment', async () => {
    const product = await createProduct('Tray')
    const token = await signIn()
    const { id } = await startPayment(east, token, product)
    const proof = await callAt(east)(sandboxCalls.payInSandbox, { body: { razorpay_order_id: id } })
    await machines.stop()
    await machines.deleteFolders()
    ;({ east, west } = await machines.start(SETTINGS))
    const { order } = await callAt(west, token)(paymentCalls.verifyPayment, { body: proof })
    expect(order.status).toBe('Not Process')
  })

  it('contain copies of the e-mails of a shop without an SMTP server, which are made again', async () => {
    await callAt(east)(accountCalls.register, { body: customer() })
    const files = async () => {
      const names = machines.folders.map((name) => join(name, 'emails'))
      return (await Promise.all(names.map((name) => readdir(name).catch(() => [])))).flat()
    }
    const recipient = `customer-${registered}@example.com`
    const email = async () => (await listed('kept')).find((one) => one.recipient === recipient)
    await expect.poll(email, PATIENT).toBeDefined()
    const { _id: id = '' } = (await email()) ?? {}
    const one = { params: { id } }
    expect(await files()).toContain(`${id}.eml`)
    await machines.deleteFolders()
    for (const machine of [east, west]) {
      const { text } = await callAt(machine, adminToken)(emailAdminCalls.getEmail, one)
      expect(text).toContain('Asha Rao')
    }
    await callAt(east, adminToken)(emailAdminCalls.retryEmail, one)
    await expect.poll(files, PATIENT).toContain(`${id}.eml`)
  })
})
