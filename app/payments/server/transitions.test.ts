import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { testShop } from '#tests/support/shop.ts'
import { type PaymentState, TRANSITIONS } from './transitions.ts'

const shop = testShop()
const STATES = Object.keys(TRANSITIONS) as PaymentState[]

let buyer: { id: string }
beforeAll(async () => {
  buyer = await addPerson(shop.db)
})

/** Inserts a payment in this state, with money. */
async function paymentIn(state: PaymentState, facts: { surplus_of?: string } = {}) {
  const id = uuidv7()
  await shop.db
    .insertInto('payments')
    .values({
      id,
      user_id: buyer.id,
      provider: 'sandbox',
      amount_minor: 1250,
      currency: 'INR',
      state,
      provider_payment_id: `pay_${id}`,
      received_at: new Date(),
      next_attempt_at: new Date(),
      refusal: 'It bought nothing.',
      refusal_code: 'payment_failed',
      ...facts,
    })
    .execute()
  return id
}

/** Sets the state: answers the state that the payment has then, or the message of the refusal. */
async function afterSetting(id: string, state: PaymentState) {
  const error = await shop.db
    .updateTable('payments')
    .set({ state })
    .where('id', '=', id)
    .execute()
    .then(
      () => null,
      ({ message }: Error) => message,
    )
  const payment = await shop.db
    .selectFrom('payments')
    .where('id', '=', id)
    .select('state')
    .executeTakeFirstOrThrow()
  return { error, state: payment.state }
}

const pairs = STATES.flatMap((from) => STATES.map((to) => ({ from, to })))

describe('the transitions of a payment in the database', () => {
  it.each(pairs)('$from to $to is as in the table', async ({ from, to }) => {
    const id = await paymentIn(from)
    const isAllowed = from === to || TRANSITIONS[from].includes(to)
    expect(await afterSetting(id, to)).toEqual(
      isAllowed
        ? { error: null, state: to }
        : { error: `A payment that is ${from} cannot become ${to}.`, state: from },
    )
  })

  it.each(STATES)('a surplus is %s only when its money goes back', async (state) => {
    const of = await paymentIn('captured')
    const stored = paymentIn(state, { surplus_of: of }).then(
      () => null,
      ({ constraint }) => constraint,
    )
    const isRefund = ['refund_pending', 'refunded', 'failed'].includes(state)
    expect(await stored).toBe(isRefund ? null : 'payments_surplus_is_refunded')
  })

  it.each(['captured', 'refund_pending', 'refunded'] as const)('%s needs money', async (state) => {
    const id = uuidv7()
    const inserted = shop.db
      .insertInto('payments')
      .values({
        id,
        user_id: buyer.id,
        provider: 'sandbox',
        amount_minor: 1250,
        currency: 'INR',
        state,
        next_attempt_at: new Date(),
      })
      .execute()
    await expect(inserted).rejects.toMatchObject({ constraint: 'payments_state_has_money' })
  })
})
