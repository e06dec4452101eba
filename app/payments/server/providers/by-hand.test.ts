import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { mockLog } from '#tests/support/provider-worlds.ts'
import { testShop } from '#tests/support/shop.ts'
import { openProviders } from '../context.ts'
import { PROVIDERS } from './list.ts'

const shop = testShop()

const BY_HAND = PROVIDERS.filter(({ isByHand }) => isByHand)

describe.each(BY_HAND.map(({ name }) => name))('%s', (name) => {
  const opened = async () => {
    const facts = { log: mockLog(), isDemo: false }
    const provider = (await openProviders(shop.db, {}, facts)).find((one) => one.name === name)
    if (!provider) throw new Error(`${name} is not open.`)
    return provider
  }

  it('has orders that nobody can be asked about, and that no proof pays', async () => {
    const { start, lookUp, verify, readEvent } = await opened()
    const id = await start({ receipt: '1', amountMinor: 1250, currency: 'INR' })
    expect(id).toBe(`${name}_1`)
    const order = { id, amountMinor: 1250, currency: 'INR' }
    expect(await lookUp(order)).toEqual({ amountMinor: 1250, currency: 'INR', payments: [] })
    expect(verify({ orderId: id, paymentId: `${name}_1`, signature: '' })).toBe(false)
    expect(readEvent).toBeUndefined()
  })

  it('records refunds up to a sum, also when a request is repeated', async () => {
    const { refund, refunds } = await opened()
    const paymentId = `${name}_${randomUUID()}`
    const part = { storedMinor: 1250, totalRefundMinor: 400, doneMinor: 0, key: 'refund-1' }
    expect(await refund(paymentId, part)).toMatchObject({ amountMinor: 1250, refundedMinor: 400 })
    expect(await refund(paymentId, part)).toMatchObject({ refundedMinor: 400 })
    const rest = { ...part, totalRefundMinor: null, doneMinor: 400, key: 'refund-2' }
    expect(await refund(paymentId, rest)).toMatchObject({ refundedMinor: 1250 })
    expect(await refunds(paymentId)).toMatchObject({ refundedMinor: 1250, pendingMinor: 0 })
  })
})
