import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addOrder, addRefund } from '#tests/support/orders.ts'
import { testShop } from '#tests/support/shop.ts'
import { type StateOf, TRANSITIONS } from './transitions.ts'

const shop = testShop()

let buyer: Person
beforeAll(async () => {
  buyer = await addPerson(shop.db)
})

async function paymentIn(state: StateOf<'payments'>) {
  const id = uuidv7()
  const facts = { provider: 'sandbox', amount_minor: 1250, currency: 'INR' }
  await shop.db
    .insertInto('payments')
    .values({ id, user_id: buyer.id, state, due_at: new Date(), ...facts })
    .execute()
  return id
}

const REFUSAL = { refusal: 'It bought nothing.', refusal_code: 'payment_failed' } as const

async function captureOf(purpose: StateOf<'captures'>) {
  const id = uuidv7()
  const payment_id = purpose === 'unknown' ? null : await paymentIn('open')
  const facts = { provider: 'sandbox', amount_minor: 1250, currency: 'INR' }
  await shop.db
    .insertInto('captures')
    .values({ id, payment_id, provider_payment_id: `pay_${id}`, purpose, ...facts })
    .execute()
  return id
}

const isOver = (state: StateOf<'refunds'>) => state === 'done' || state === 'given_up'

/** The columns of a refund that its state needs. */
const datesOf = (state: StateOf<'refunds'>) => ({
  state,
  done_at: state === 'done' ? new Date() : null,
  next_attempt_at: isOver(state) ? null : new Date(),
})

async function refundIn(state: StateOf<'refunds'>) {
  const order = await addOrder(shop.db, buyer)
  await addRefund(shop.db, order, 1250, datesOf(state))
  return order.payment_id
}

/** Runs a change, and answers the message of its refusal. */
const refusalOf = (change: Promise<unknown>): Promise<string | null> =>
  change.then(
    () => null,
    ({ message }: Error) => message,
  )

const pairsOf = <State extends string>(table: Record<State, string[]>) => {
  const states = Object.keys(table) as State[]
  return states.flatMap((from) => states.map((to) => ({ from, to })))
}

const expected = (what: string, from: string, to: string, allowed: string[]) =>
  from === to || allowed.includes(to) ? null : `A ${what} that is ${from} cannot become ${to}.`

describe('the transitions in the database are those of the table', () => {
  it.each(pairsOf(TRANSITIONS.payments))('payment: $from to $to', async ({ from, to }) => {
    const id = await paymentIn(from)
    const change = shop.db.updateTable('payments').set({ state: to }).where('id', '=', id).execute()
    expect(await refusalOf(change)).toBe(expected('payment', from, to, TRANSITIONS.payments[from]))
  })

  it.each(
    pairsOf(TRANSITIONS.captures).filter(({ from, to }) => from !== 'nothing' && to !== 'unknown'),
  )('capture: $from to $to', async ({ from, to }) => {
    const id = await captureOf(from)
    const set = { purpose: to, ...(to === 'nothing' ? REFUSAL : {}) }
    const change = shop.db.updateTable('captures').set(set).where('id', '=', id).execute()
    expect(await refusalOf(change)).toBe(expected('capture', from, to, TRANSITIONS.captures[from]))
  })

  it.each(pairsOf(TRANSITIONS.refunds))('refund: $from to $to', async ({ from, to }) => {
    const capture = await refundIn(from)
    const change = shop.db
      .updateTable('refunds')
      .set(datesOf(to))
      .where('capture_id', '=', capture)
      .execute()
    expect(await refusalOf(change)).toBe(expected('refund', from, to, TRANSITIONS.refunds[from]))
  })
})

it('money has one refund in progress', async () => {
  const payment_id = await refundIn('accepted')
  const second = addRefund(shop.db, { payment_id }, 1, datesOf('pending'))
  await expect(second).rejects.toMatchObject({ constraint: 'refunds_open' })
})

it('money that pays for nothing has a reason', async () => {
  await expect(captureOf('nothing')).rejects.toMatchObject({ constraint: 'captures_refused' })
})
