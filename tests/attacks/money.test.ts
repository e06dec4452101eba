/** Forged reports of payments. */
import { describe } from 'vitest'
import { hookPath, paymentOf, report, signatureOf } from '#tests/support/webhook.ts'
import { type Attack, defend, hearing } from './support/attack.ts'
import { asJson, bodyOf, by } from './support/http.ts'
import { addOwner } from './support/owner.ts'
import { rowsOf } from './support/state.ts'
import { openWorld, type World } from './support/world.ts'

const world = openWorld()

const ordersIn = async ({ db }: World['shop']) =>
  (await db.selectFrom('orders').select('id').execute()).length

/** Signatures by wrong keys or over wrong data. */
const FORGED: Record<string, (text: string) => string> = {
  'no signature': () => '',
  "another shop's secret": (text) => signatureOf(text, 'another secret'),
  "another report's signature": (text) => signatureOf(`${text} `),
  'a cut signature': (text) => signatureOf(text).slice(0, 32),
}

/** Changes that make it another payment. */
const OTHER_FACTS: object[] = [
  ...[1, 1249, 125_000, -1250, 1250.5, '1250', null].map((amount) => ({ amount })),
  ...['USD', '', 'inr'].map((currency) => ({ currency })),
  { order_id: 'order_of_nobody' },
]

type Report = { what: string; facts: object; sign: (text: string) => string }

/** Unsigned reports, and signed reports of other payments. */
const REPORTS: Report[] = [
  ...Object.entries(FORGED).map(([what, sign]) => ({ what, facts: {}, sign })),
  ...OTHER_FACTS.map((facts) => ({
    what: JSON.stringify(facts),
    facts,
    sign: (text: string) => signatureOf(text),
  })),
]

const lies: Attack = async function* ({ shop, send }) {
  for (const { what, facts, sign } of REPORTS) {
    const { payment } = await addOwner(shop)
    const sent = asJson(report('payment.captured', { ...paymentOf(payment), ...facts }))
    const proof = { 'x-razorpay-signature': sign(sent.body), 'x-razorpay-event-id': payment }
    const orders = await ordersIn(shop)
    const rows = await rowsOf(shop.db)
    const path = `/api/v1${hookPath('sandbox')}`
    const { status } = await send(by(proof, { method: 'POST', path, ...sent }))
    if ((await ordersIn(shop)) !== orders) yield `a report with ${what} makes an order`
    const isHeard = status < 400 || (await rowsOf(shop.db)).join() !== rows.join()
    if (status >= 500 || (what in FORGED && isHeard)) yield `a report with ${what} is heard`
  }
}

/** A shop that does not check signatures, after this change of the report. */
const signing = (change: (text: string) => string) =>
  hearing((attempt) => {
    const body = change(bodyOf(attempt))
    return by({ 'x-razorpay-signature': signatureOf(body) }, { ...attempt, body })
  })

describe('money', () => {
  defend('class 12, 13: believes no report that is unsigned, or of other money', world, lies, {
    'nobody looks at the signature': [/no signature makes an order/, signing((text) => text)],
    'the amount is not compared': [
      /"amount":1\} makes an order/,
      signing((text) => text.replace('"amount":1,', '"amount":1250,')),
    ],
  })
})
