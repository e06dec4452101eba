import { setTimeout } from 'node:timers/promises'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { Goods, Shopper } from '#tests/faults/fixtures.ts'
import type { Random } from '#tests/support/razorpay/random.ts'
import { callerFrom, localAddress, type Reply } from './caller.ts'
import type { Journal } from './journal.ts'

/** Units in a delivery of goods. */
export const DELIVERY = 5
export const IMPORT_ROWS = 10
const PAUSE_MS = { min: 200, max: 600 }
const IMPORT_PAUSE_MS = 4000
const FIRST_ADDRESS = 3000

/** Requests: confirmed as done, or without a clear answer. */
export type Requested<Subject> = { done: Subject[]; unclear: Subject[] }

const noRequests = <Subject>(): Requested<Subject> => ({ done: [], unclear: [] })

/** Records the reply; a proper refusal (4xx) is neither done nor unclear. */
function note<Subject>(requested: Requested<Subject>, subject: Subject, status: number) {
  if (status >= 200 && status < 300) requested.done.push(subject)
  else if (status === 0 || status >= 500) requested.unclear.push(subject)
}

export type Notes = {
  /** The prices that the priced product got. */
  prices: Requested<number>
  /** Deliveries of units of the delivered product. */
  deliveries: Requested<number>
  /** Payments of which a part was refunded. */
  refunds: Requested<string>
  /** Imports, by the word in the names of their products. */
  imports: Requested<string>
}

type Options = {
  proxy: string
  journal: Journal
  random: Random
  admin: Shopper
  priced: Goods
  delivered: Goods
  /** The orders that buyers know of, by payment. */
  confirmed: Map<string, string>
}

/** Two admins: one edits prices and stock and refunds, the other imports products. */
export function openAdmins({ proxy, journal, random, admin, ...known }: Options) {
  const { priced, delivered, confirmed } = known
  const { token } = admin
  let isOpen = false
  const notes: Notes = {
    prices: noRequests(),
    deliveries: noRequests(),
    refunds: noRequests(),
    imports: noRequests(),
  }
  const editor = callerFrom(proxy, localAddress(FIRST_ADDRESS))
  const importer = callerFrom(proxy, localAddress(FIRST_ADDRESS + 1))

  const put = (what: string, id: string, body: object): Promise<Reply> => {
    const path = `${API_PREFIX}/product/update-product/${id}`
    const sent = { method: 'PUT', token, body: JSON.stringify(body) }
    return journal.send('work', what, () => editor(path, sent))
  }

  let price = 10
  async function editPrice() {
    price += 1
    const { status } = await put('edits a price', priced._id, { price })
    note(notes.prices, price, status)
  }

  async function deliver() {
    // what was sold since "0 units" were read is taken from it: so many more than there are
    const body = { quantity: DELIVERY, quantityRead: 0 }
    const { status } = await put('adds units', delivered._id, body)
    note(notes.deliveries, DELIVERY, status)
  }

  const refunded = new Set<string>()
  async function refund() {
    const open = [...confirmed].findLast(([payment]) => !refunded.has(payment))
    if (!open) return
    const [payment, order] = open
    refunded.add(payment)
    const body = JSON.stringify({ amount: random.between(1, 5), reason: 'As asked.' })
    const path = `${API_PREFIX}/payment/refund/${order}`
    const { status } = await journal.send('work', 'refunds a part', () =>
      editor(path, { method: 'POST', token, body }),
    )
    note(notes.refunds, payment, status)
  }

  async function work() {
    while (isOpen) {
      await random.pick([editPrice, deliver, refund])()
      await setTimeout(random.between(PAUSE_MS.min, PAUSE_MS.max))
    }
  }

  let imports = 0
  async function importProducts() {
    imports += 1
    const word = `Import${imports}x`
    const rows = Array.from({ length: IMPORT_ROWS }, (_, n) => `${word} ${n},Thin.,7.5,3,Imported`)
    const body = ['name,description,price,quantity,category', ...rows].join('\n')
    const path = `${API_PREFIX}/product/import?createCategories=true`
    const { status, text } = await journal.send('work', 'imports products', () =>
      importer(path, { method: 'POST', token, body, type: 'text/csv' }),
    )
    const isDone = status === 200 && text.includes('"imported":true')
    note(notes.imports, word, status === 200 && !isDone ? 0 : status)
  }

  async function keepImporting() {
    while (isOpen) {
      await importProducts()
      for (let waited = 0; isOpen && waited < IMPORT_PAUSE_MS; waited += 200) await setTimeout(200)
    }
  }

  let working: Promise<void>[] = []
  return {
    notes,
    open() {
      isOpen = true
      working = [work(), keepImporting()]
    },
    async close() {
      isOpen = false
      await Promise.all(working)
    },
  }
}
