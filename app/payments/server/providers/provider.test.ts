/** The contract of the port, over all providers of the list; with a network, also its bad days. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CallName, mockLog, WORLDS, type World } from '#tests/support/provider-worlds.ts'
import { testShop } from '#tests/support/shop.ts'
import { PROVIDERS, providerSettings } from './list.ts'
import type { ProviderPayment } from './provider.ts'

const shop = testShop()

const AMOUNT = { amountMinor: 1250, currency: 'INR' }

const ASKED = PROVIDERS.filter(({ isByHand }) => !isByHand)

it('each provider of the list has a world here, a name and a label', () => {
  const names = ASKED.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(Object.keys(WORLDS).sort()).toEqual([...names].sort())
  for (const { label } of PROVIDERS) expect(label).not.toBe('')
})

it('each is closed without its settings, whose descriptions are one line', async () => {
  for (const { modeOf } of PROVIDERS) expect(modeOf({})).toBeNull()
  for (const [name, schema] of Object.entries(providerSettings))
    expect(schema, name).toHaveProperty('description', expect.stringMatching(/^[^\n]{10,}$/))
})

describe.each(ASKED.map(({ name }) => name))('%s', (name) => {
  const log = mockLog()
  let world: World
  beforeAll(async () => {
    const open = WORLDS[name]
    if (!open) throw new Error(`${name} has no world.`)
    world = await open(shop.db, log)
  })
  afterAll(() => world.close())
  beforeEach(() => {
    world.network?.restore()
    log.error.mockReset()
  })

  let receipts = 0
  /** A new order, as `lookUp` gets it. */
  async function order() {
    const { newOrderId, start } = world.provider
    receipts += 1
    const id = newOrderId?.() ?? (await start({ ...AMOUNT, receipt: `receipt-${receipts}` }))
    return { id, ...AMOUNT }
  }

  const onlyPayment = async (known: Awaited<ReturnType<typeof order>>) => {
    const { payments } = await world.provider.lookUp(known)
    expect(payments).toHaveLength(1)
    return payments[0] as ProviderPayment
  }

  /** A payment whose money is captured. */
  async function captured() {
    const known = await order()
    const { paymentId } = await world.pay(known.id)
    await world.provider.capture?.(paymentId, AMOUNT)
    return { known, paymentId }
  }

  const refundOf = (key: string, totalRefundMinor: number | null = null, doneMinor = 0) => ({
    storedMinor: AMOUNT.amountMinor,
    totalRefundMinor,
    doneMinor,
    key: `refund-${key}`,
  })

  it('opens orders with ids of their own, which nobody has paid', async () => {
    const [first, second] = [await order(), await order()]
    expect(first.id).not.toBe(second.id)
    expect(await world.provider.lookUp(first)).toEqual({ ...AMOUNT, payments: [] })
  })

  it('says what the browser, the pages and the back office need', () => {
    const { mode, publicKey, script, minimumMinor, dashboardLink } = world.provider
    expect(['live', 'test']).toContain(mode)
    expect([publicKey, script].every((text) => text.length > 0)).toBe(true)
    expect(minimumMinor('INR')).toBeGreaterThan(0)
    const link = dashboardLink('pay_1')
    expect(link === null || URL.canParse(link)).toBe(true)
  })

  it('finds the payment of an order, and changes nothing by that', async () => {
    const known = await order()
    const { paymentId } = await world.pay(known.id)
    const status = world.provider.capture ? 'authorised' : 'captured'
    const paid = { ...AMOUNT, id: paymentId, status, paysOrder: true, refundedMinor: 0 }
    expect(await world.provider.lookUp(known)).toEqual({ ...AMOUNT, payments: [paid] })
    expect(await onlyPayment(known)).toEqual(paid)
  })

  it('verifies what it signed, and nothing else', async () => {
    const [known, other] = [await order(), await order()]
    const proof = await world.pay(known.id)
    const { verify } = world.provider
    expect(verify(proof)).toBe(true)
    const { signature } = proof
    for (const wrong of [
      { orderId: other.id },
      { paymentId: `${proof.paymentId}0` },
      ...['', signature.slice(1), signature.toUpperCase(), 'f'.repeat(10_000), 'é'.repeat(64)].map(
        (text) => ({ signature: text }),
      ),
    ])
      expect(verify({ ...proof, ...wrong }), JSON.stringify(wrong)).toBe(false)
  })

  it('captures the amount of an authorised payment, and no other', async () => {
    const { capture } = world.provider
    if (!capture) return
    const known = await order()
    const { paymentId } = await world.pay(known.id)
    await expect(capture(paymentId, { ...AMOUNT, amountMinor: 1249 })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await onlyPayment(known)).toMatchObject({ status: 'authorised' })
    await capture(paymentId, AMOUNT)
    expect(await onlyPayment(known)).toMatchObject({ status: 'captured', paysOrder: true })
    await expect(capture(paymentId, AMOUNT)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('refunds a part, and then the rest', async () => {
    const { known, paymentId } = await captured()
    const { refund, refunds } = world.provider
    const sumOf = async () => {
      const { refundedMinor, pendingMinor } = await refunds(paymentId)
      return refundedMinor + pendingMinor
    }
    expect(await sumOf()).toBe(0)
    const part = await refund(paymentId, refundOf(`${paymentId}-1`, 200))
    expect([part.amountMinor, part.refundedMinor + part.pendingMinor]).toEqual([1250, 200])
    expect(await sumOf()).toBe(200)
    expect(await onlyPayment(known)).toMatchObject({ refundedMinor: 200, status: 'captured' })
    await refund(paymentId, refundOf(`${paymentId}-2`, null, 200))
    expect(await sumOf()).toBe(1250)
    expect(await onlyPayment(known)).toMatchObject({ refundedMinor: 1250, status: 'refunded' })
  })

  it('refunds once, however often the same refund is asked for', async () => {
    const { paymentId } = await captured()
    const request = refundOf(`${paymentId}-1`, 500)
    await world.provider.refund(paymentId, request)
    await world.provider.refund(paymentId, request)
    const { refundedMinor, pendingMinor } = await world.provider.refunds(paymentId)
    expect(refundedMinor + pendingMinor).toBe(500)
  })

  it('reads signed events in the words of the port, and refuses all others', async () => {
    const { readEvent } = world.provider
    if (!readEvent) return
    const delivery = world.report('order_1', 'pay_1')
    expect(readEvent(delivery)).toEqual({
      id: 'evt_pay_1',
      event: { kind: 'captured', orderId: 'order_1', paymentId: 'pay_1', ...AMOUNT },
    })
    expect(readEvent(world.report('order_1', 'pay_1', 'invoice.paid')).event).toBeNull()
    for (const forged of [
      { ...delivery, raw: Buffer.from(`${delivery.raw} `) },
      { ...delivery, headers: world.report('order_2', 'pay_1').headers },
      { ...delivery, headers: {} },
    ])
      expect(() => readEvent(forged)).toThrow('The signature is invalid.')
  })

  describe('on a bad day', () => {
    /** Makes each call of the port once. */
    const CALLS: Record<CallName, () => Promise<unknown>> = {
      start: () => world.provider.start({ ...AMOUNT, receipt: 'bad-day' }),
      lookUp: () => world.provider.lookUp({ id: 'order_1', ...AMOUNT }),
      capture: async () => world.provider.capture?.('pay_1', AMOUNT),
      refund: async () => {
        const { paymentId } = await captured()
        return world.provider.refund(paymentId, refundOf(paymentId))
      },
      refunds: () => world.provider.refunds('pay_1'),
    }
    const calls = Object.keys(CALLS) as CallName[]

    it.each(calls)('%s is unavailable for now when it fails in any way', async (call) => {
      const { network } = world
      if (!network) return
      const days: (() => void)[] = [
        () => network.loseAnswer(call),
        () => network.hang(call),
        () => network.refuse(call, 500, 'Oops'),
        () => network.refuse(call, 429, 'Too many requests'),
        () => network.refuse(call, 401, 'Authentication failed'),
        () => network.answer(call, { fine: true }),
        () => network.answerOfAnother(call),
        () => network.answer(call, null),
      ]
      for (const [day, fail] of days.entries()) {
        log.error.mockReset()
        fail()
        await expect(CALLS[call](), `day ${day}`).rejects.toMatchObject({
          code: 'unavailable',
          headers: { 'Retry-After': '30' },
          message: 'The payment provider does not answer. Try again in a minute.',
        })
        expect(log.error).toHaveBeenCalledOnce()
        expect(JSON.stringify(log.error.mock.calls)).not.toContain('key-secret')
      }
    })

    it.each(calls)('%s says why when it is refused for good', async (call) => {
      if (!world.network) return
      for (const status of [400, 404, 422]) {
        world.network.refuse(call, status, 'It is not possible.')
        const refused = { code: 'not_found', message: 'It is not possible.' }
        await expect(CALLS[call](), `${status}`).rejects.toMatchObject(refused)
      }
    })

    it('a capture whose answer was lost is found', async () => {
      if (!world.network) return
      const known = await order()
      const { paymentId } = await world.pay(known.id)
      world.network.loseAnswer('capture')
      await expect(world.provider.capture?.(paymentId, AMOUNT)).rejects.toThrow()
      expect(await onlyPayment(known)).toMatchObject({ status: 'captured' })
    })

    it('a refund whose answer was lost is made once', async () => {
      if (!world.network) return
      const { paymentId } = await captured()
      const request = refundOf(`${paymentId}-1`, 500)
      world.network.loseAnswer('refund')
      await expect(world.provider.refund(paymentId, request)).rejects.toThrow()
      await world.provider.refund(paymentId, request)
      expect(world.network.refundsOf(paymentId)).toBe(1)
    })

    it('an answer that comes twice is never that of another request', async () => {
      if (!world.network) return
      const paid = await Promise.all(
        [1, 2, 3].map(async () => {
          const known = await order()
          return { known, proof: await world.pay(known.id) }
        }),
      )
      world.network.doubleAll()
      for (let turn = 0; turn < 5; turn += 1)
        for (const { known, proof } of paid) {
          const found = await world.provider.lookUp(known).catch(() => null)
          if (found) expect(found.payments).toMatchObject([{ id: proof.paymentId }])
        }
    })
  })
})
