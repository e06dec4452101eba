/** The connections of a shop, through its API. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Connection, ConnectionName } from '#app/settings/connection-contract.ts'
import type { Finding } from '#app/shared/server/doctor/finding.ts'
import { addPerson, PASSWORD, type Person } from './accounts.ts'
import { startFakeRazorpay } from './razorpay/fake-razorpay.ts'
import { type TestShop, testShop } from './shop.ts'
import { openSmtp } from './smtp.ts'

export const ADDRESS = { address: 'https://shop.example.com' }

/** Reads, saves and tests connections as an admin. */
export const connectionsThrough = (of: TestShop, admin: () => Person) => {
  const list = async () =>
    (await of.get<Connection[]>('/settings/connections', { token: admin().token })).body
  return {
    list,
    async read(name: ConnectionName) {
      const found = (await list()).find((one) => one.name === name)
      if (!found) throw new Error(`There is no connection ${name}.`)
      return found
    },
    save: (name: ConnectionName, values: object, password = PASSWORD) =>
      of.put<{ message: string; field?: string; fields?: { field: string }[] }>(
        `/settings/connections/${name}`,
        { token: admin().token, body: { values, password } },
      ),
    test: async (name: ConnectionName) =>
      (await of.post<Finding[]>(`/settings/connections/${name}/test`, { token: admin().token }))
        .body,
  }
}

/** A shop without connections before each test of a file, a Razorpay and an SMTP server. */
export async function connectableShop() {
  const razorpay = await startFakeRazorpay(() => 'http://127.0.0.1:1')
  const smtp = await openSmtp()
  const { RAZORPAY_API_URL, ...keys } = razorpay.settings
  /** Nothing is set in the environment. */
  const unset = { PAYMENTS: '', RAZORPAY_API_URL }
  const shop = testShop(unset)
  const people: Person[] = []
  const admin = () => {
    const [first] = people
    if (!first) throw new Error('There is no admin yet.')
    return first
  }
  const through = (of: TestShop) => connectionsThrough(of, admin)
  beforeAll(async () => {
    people.push(await addPerson(shop.db, { admin: true, name: 'Ada' }))
  })
  beforeEach(async () => {
    const { save } = through(shop)
    for (const name of ['payments', 'email', 'address'] as const) await save(name, {})
    await shop.db.deleteFrom('emails').execute()
    smtp.received.length = 0
  })
  afterAll(async () => {
    await razorpay.close()
    await smtp.close()
  })
  const mail = {
    host: '127.0.0.1',
    port: new URL(smtp.url).port,
    user: '',
    password: '',
    sender: 'Souk <souk@example.com>',
  }
  return { shop, admin, through, razorpay, smtp, keys, unset, mail }
}
