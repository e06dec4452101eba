/** Money: races, reports of payments, and who tries cards. */
import { describe } from 'vitest'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { addOrder } from '#tests/support/orders.ts'
import { cartOf, signedPayment } from '#tests/support/payments.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { paymentOf, report, signatureOf } from '#tests/support/webhook.ts'
import { type Attack, defend, plant } from './support/attack.ts'
import type { Attempt, Headers, Response } from './support/http.ts'
import { addOwner } from './support/people.ts'
import { asJson, by, signedReport } from './support/requests.ts'
import { changesBetween, rowsOf } from './support/state.ts'
import { openWorld, type World } from './support/world.ts'

const world = openWorld()
const limited = openWorld({ RATE_LIMIT: 'on' })

const MANY = 100
const START = '/api/v1/product/razorpay/order'
const VERIFY = '/api/v1/product/razorpay/verify'
const HOOK = '/api/v1/payment/webhook/razorpay'

const from = (n: number): Headers => ({ 'x-forwarded-for': `198.51.100.${n}` })
const post = (path: string, { token }: Person, body: object, headers: Headers = {}): Attempt =>
  by({ authorization: token, ...headers }, { method: 'POST', path, ...asJson(body) })

async function onSale({ shop: { db } }: World, quantity: number) {
  const category = await addCategory(db, crypto.randomUUID())
  return addProduct(db, { category, quantity, price: 12.5 })
}

const people = ({ shop: { db } }: World, many: number) =>
  Promise.all(Array.from({ length: many }, () => addPerson(db)))

const idOf = ({ text }: Response): string => JSON.parse(text).id

const ordersIn = async ({ shop: { db } }: World) =>
  Number(
    (
      await db
        .selectFrom('orders')
        .select(({ fn }) => fn.countAll().as('many'))
        .executeTakeFirstOrThrow()
    ).many,
  )

const races: Attack = async function* (opened) {
  const { send, shop } = opened
  const product = await onSale(opened, 1)
  const sent = { amount: 1250, cart: cartOf(product) }
  const buyers = await people(opened, MANY)
  const before = await ordersIn(opened)
  const started = await Promise.all(buyers.map((one, n) => send(post(START, one, sent, from(n)))))
  const held = buyers.flatMap((buyer, n) =>
    started[n]?.status === 200 ? [{ buyer, id: idOf(started[n]) }] : [],
  )
  if (held.length !== 1) yield `${held.length} hold the last piece`
  await Promise.all(held.map(({ buyer, id }) => send(post(VERIFY, buyer, signedPayment(id)))))
  const sold = (await ordersIn(opened)) - before
  const left = shop.db.selectFrom('products').where('id', '=', product.id).select('quantity')
  const { quantity } = await left.executeTakeFirstOrThrow()
  if (sold !== 1 || quantity !== 0)
    yield `the last piece is sold ${sold} times, ${quantity} are left`
}

const repeats: Attack = async function* (opened) {
  const product = await onSale(opened, 1000)
  const [buyer] = await people(opened, 1)
  if (!buyer) return
  const { send } = opened
  const id = idOf(await send(post(START, buyer, { amount: 1250, cart: cartOf(product) })))
  const before = await ordersIn(opened)
  const proof = signedPayment(id)
  const payment = paymentOf(id, proof.razorpay_payment_id)
  const hook = () =>
    send({ method: 'POST', path: HOOK, ...signedReport(report('order.paid', payment)) })
  await Promise.all(
    Array.from({ length: MANY }, (_, n) =>
      n % 4 === 0 ? hook() : send(post(VERIFY, buyer, proof)),
    ),
  )
  const made = (await ordersIn(opened)) - before
  if (made !== 1) yield `one payment makes ${made} orders`
}

const last: Attack = async function* (opened) {
  const {
    shop: { db },
    send,
  } = opened
  await db.updateTable('users').set({ is_admin: false }).where('is_admin', '=', true).execute()
  const admins = await Promise.all([0, 1].map(() => addPerson(db, { admin: true })))
  const [one, other] = admins
  if (!one || !other) return
  const demote = (by: Person, whom: Person) =>
    send({ ...post(`/api/v1/auth/user-role/${whom.id}`, by, { role: 0 }), method: 'PUT' })
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => (n % 2 ? demote(one, other) : demote(other, one))),
  )
  const left = await db.selectFrom('users').where('is_admin', '=', true).selectAll().execute()
  if (left.length === 0) yield 'the last admin is gone'
}

const sum = (text: string) => signatureOf(text)

/** Reports that nobody signed who may. */
function forgeries(text: string): Record<string, Headers> {
  const right = sum(text)
  return {
    'no signature': {},
    'an empty signature': { 'x-razorpay-signature': '' },
    "another shop's secret": { 'x-razorpay-signature': signatureOf(text, 'another secret') },
    'an empty secret': { 'x-razorpay-signature': signatureOf(text, ' ') },
    "another report's signature": { 'x-razorpay-signature': sum(`${text} `) },
    'a cut signature': { 'x-razorpay-signature': right.slice(0, 32) },
    'a signature under another name': { 'x-signature': right, authorization: right },
    'a list of signatures': { 'x-razorpay-signature': `${right},${right}` },
  }
}

const forges: Attack = async function* ({ shop, send }) {
  const owner = await addOwner(shop)
  const text = JSON.stringify(report('payment.captured', paymentOf(owner.payment)))
  const before = await rowsOf(shop.db)
  for (const [what, headers] of Object.entries(forgeries(text))) {
    const type = { 'content-type': 'application/json', 'x-razorpay-event-id': what }
    const { status } = await send({
      method: 'POST',
      path: HOOK,
      headers: { ...type, ...headers },
      body: text,
    })
    if (status < 400) yield `a report with ${what} answers ${status}`
  }
  for (const table of changesBetween(before, await rowsOf(shop.db))) yield `${table} was changed`
}

/** What is not the payment that was started; an event of another name is no money. */
const WRONG: { event?: string; facts?: object }[] = [
  ...[1, 1249, 125_000, -1250, 1250.5, '1250', null].map((amount) => ({ facts: { amount } })),
  ...['USD', '', 'inr'].map((currency) => ({ facts: { currency } })),
  ...[{ facts: { order_id: 'order_of_nobody' } }, { facts: { id: '' } }],
  ...['payment.failed', 'payment.authorized', 'order.created', ''].map((event) => ({ event })),
]

const mispays: Attack = async function* (opened) {
  const { shop, send } = opened
  for (const { event = 'payment.captured', facts } of WRONG) {
    const { payment } = await addOwner(shop)
    const before = await ordersIn(opened)
    const paid = { ...paymentOf(payment), ...facts } as ReturnType<typeof paymentOf>
    const { status } = await send({
      method: 'POST',
      path: HOOK,
      ...signedReport(report(event, paid)),
    })
    const made = (await ordersIn(opened)) - before
    if (made > 0 || status >= 500)
      yield `${event} ${JSON.stringify(facts)} answers ${status} and makes ${made} orders`
  }
  const [dear, cheap] = [await addOwner(shop), await addOwner(shop)]
  const before = await ordersIn(opened)
  const [right, other] = [signedPayment(dear.payment), signedPayment(cheap.payment)]
  const proofs = [
    { ...other, razorpay_order_id: dear.payment },
    { ...right, razorpay_payment_id: other.razorpay_payment_id },
    { ...right, razorpay_signature: right.razorpay_signature.toUpperCase() },
    { ...right, razorpay_signature: '' },
    { ...right, razorpay_order_id: `${dear.payment}|` },
  ]
  for (const proof of proofs) {
    const { status } = await send(post(VERIFY, dear.person, proof))
    if (status < 400) yield `the proof of another payment answers ${status}`
  }
  if ((await ordersIn(opened)) !== before) yield 'the proof of another payment makes an order'
}

/** What the declared limits of a start are meant to bound, for an account in a day and an address in a minute. */
const MOST_STARTS = { account: 60, address: 120 }

const tests: Attack = async function* (opened) {
  const { send, shop } = opened
  const product = await onSale(opened, 10_000)
  const sent = { amount: 1250, cart: cartOf(product) }
  const [one, ...more] = await people(opened, 8)
  if (!one) return
  let started = 0
  for (let n = 0; n < 80; n += 1)
    started += Number((await send(post(START, one, sent, from(n)))).status === 200)
  if (started > MOST_STARTS.account) yield `an account starts ${started} payments`
  started = 0
  for (let n = 0; n < 140; n += 1) {
    const { status } = await send(post(START, more[n % more.length] ?? one, sent, from(200)))
    started += Number(status === 200)
  }
  if (started === 0 || started > MOST_STARTS.address) yield `an address starts ${started} payments`
  const before = await rowsOf(shop.db)
  for (let n = 0; n < 50; n += 1)
    await send(post(VERIFY, one, { ...signedPayment('order_x'), razorpay_signature: 'x' }, from(n)))
  for (const table of changesBetween(before, await rowsOf(shop.db)))
    yield `a declined card leaves something in ${table}`
}

/** A shop that does not look whose signature it is, after `change` of what was reported. */
const signing = (finding: RegExp, change: (text: string) => string) =>
  plant(finding, (send) => (attempt) => {
    if (attempt.path !== HOOK) return send(attempt)
    return send({ ...attempt, ...signedReport(JSON.parse(change(String(attempt.body)))) })
  })

describe('money', () => {
  defend(`class 10: sells the last piece once, to one of ${MANY}`, {
    world,
    attack: races,
    holes: {
      'stock is read before it is taken': plant(
        /hold the last piece/,
        (send, { shop }) =>
          async (attempt) => {
            const response = await send(attempt)
            if (attempt.path !== START || response.status !== 409) return response
            const products = shop.db.updateTable('products').where('quantity', '=', 0)
            await products.set({ quantity: 1 }).execute()
            return send(attempt)
          },
      ),
    },
  })
  defend('class 10: makes one order, however often it is reported at once', {
    world,
    attack: repeats,
    holes: {
      'each report sells': plant(/one payment makes/, (send, { shop }) => async (attempt) => {
        if (attempt.path === VERIFY) await addOrder(shop.db, await addPerson(shop.db))
        return send(attempt)
      }),
    },
  })
  defend('class 10, 24: leaves an admin, when two demote each other at once', {
    world,
    attack: last,
    holes: {
      'both are let go': plant(
        /the last admin is gone/,
        (send, { shop: { db } }) =>
          async (attempt) => {
            const response = await send(attempt)
            if (attempt.path.includes('user-role'))
              await db
                .updateTable('users')
                .set({ is_admin: false })
                .where('is_admin', '=', true)
                .execute()
            return response
          },
      ),
    },
  })
  defend('class 12: believes no report that is not signed', {
    world,
    attack: forges,
    holes: { 'nobody looks at the signature': signing(/no signature answers 200/, (text) => text) },
  })
  defend('class 13: makes no order of a genuine payment of another amount, currency or order', {
    world,
    attack: mispays,
    holes: {
      'the amount is not compared': signing(/"amount":1\} .* makes 1/, (text) =>
        text.replace('"amount":1,', '"amount":1250,'),
      ),
      'the currency is not compared': signing(/USD.* makes 1/, (text) =>
        text.replace('USD', 'INR'),
      ),
    },
  })
  defend('class 27: is not started without bound by who tries cards', {
    world: limited,
    attack: tests,
    holes: {
      'addresses are not counted': plant(
        /an address starts 140/,
        (send) => (attempt) => send(by(from(Math.floor(Math.random() * 190)), attempt)),
      ),
      'accounts are not counted': plant(
        /an account starts 80/,
        (send, opened) => async (attempt) => {
          const [somebody] = await people(opened, 1)
          return send(
            attempt.path === START
              ? by({ authorization: somebody?.token ?? '' }, attempt)
              : attempt,
          )
        },
      ),
    },
  })
})
