import { setTimeout } from 'node:timers/promises'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { openBuyers } from '#tests/faults/clients.ts'
import type { Goods, Shopper } from '#tests/faults/fixtures.ts'
import type { Client } from '#tests/support/api-client.ts'
import type { FakeRazorpay } from '#tests/support/razorpay/fake-razorpay.ts'
import type { Random } from '#tests/support/razorpay/random.ts'
import { callerFrom, localAddress, type Reply } from './caller.ts'
import type { Journal } from './journal.ts'

const PASSWORD = 'correct horse battery'
const ARRIVAL_PAUSE_MS = 3000
/** The address of the first newcomer among those of the clients. */
const FIRST_ADDRESS = 4000

/** A proxy's own answer: the shop gave none. */
const PROXY = [502, 504]

function parse<Body>({ status, text, retryAfter }: Reply) {
  const isShops = text.startsWith('{') && !PROXY.includes(status)
  return {
    status: isShops ? status : 0,
    body: JSON.parse(isShops ? text : '{}') as Body,
    retryAfter,
  }
}

/** Calls the checkout, each shopper from an address of their own, and writes it down. */
function checkoutOf(proxy: string, journal: Journal): Client {
  const addresses = new Map<string, string>()
  return async (method, path, { token, body }) => {
    const from = addresses.get(token) ?? localAddress(addresses.size)
    addresses.set(token, from)
    const call = callerFrom(proxy, from)
    const sent = { method, token, body: JSON.stringify(body) }
    return parse(await journal.send('purchase', path, () => call(API_PREFIX + path, sent)))
  }
}

type Options = {
  proxy: string
  provider: FakeRazorpay
  journal: Journal
  random: Random
  goods: Goods[]
  shoppers: Shopper[]
  count: number
  maxPauseMs?: number
}

/** Registers and signs in again and again; each newcomer buys. */
function openArrivals({ proxy, journal }: Options) {
  const arrived: Shopper[] = []
  let isOpen = false
  let accounts = 0
  async function arrive() {
    accounts += 1
    const call = callerFrom(proxy, localAddress(FIRST_ADDRESS + accounts))
    const email = `newcomer-${accounts}@example.com`
    const post = (path: string, facts: object) => {
      const body = JSON.stringify({ email, password: PASSWORD, ...facts })
      const sent = { method: 'POST', body }
      return journal.send('account', path, () => call(`${API_PREFIX}/auth/${path}`, sent))
    }
    const facts = { name: 'Ravi Iyer', phone: '555 0101', address: '2 Market Lane', answer: 'tea' }
    const { status } = await post('register', facts)
    if (status !== 201) return
    const { text, ...reply } = await post('login', {})
    if (reply.status === 200) arrived.push({ id: email, token: JSON.parse(text).token })
  }
  async function keepArriving() {
    while (isOpen) {
      await arrive()
      for (let at = 0; isOpen && at < ARRIVAL_PAUSE_MS; at += 200) await setTimeout(200)
    }
  }
  let arriving = Promise.resolve()
  return {
    next: () => arrived.shift(),
    open() {
      isOpen = true
      arriving = keepArriving()
    },
    async close() {
      isOpen = false
      await arriving
    },
  }
}

/** Buyers who pay at the provider, a shopper for each purchase: the number of an account is limited. */
export function openCustomers(options: Options) {
  const { proxy, provider, journal, random, goods, shoppers, count, maxPauseMs } = options
  const arrivals = openArrivals(options)
  let turn = 0
  const buyers = openBuyers({
    place: { provider, goods },
    random,
    count,
    ...(maxPauseMs !== undefined && { maxPauseMs }),
    call: checkoutOf(proxy, journal),
    next() {
      const shopper = arrivals.next() ?? shoppers[turn++ % shoppers.length]
      if (!shopper) throw new Error('There are no shoppers.')
      return shopper
    },
  })
  return {
    log: buyers.log,
    open() {
      arrivals.open()
      buyers.open()
    },
    async close() {
      await Promise.all([arrivals.close(), buyers.close()])
    },
  }
}
