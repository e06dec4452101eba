/** Refunds that no network makes: they are done when they are recorded. */
import { Type } from 'typebox'
import { fits } from '#app/shared/server/input/validation.ts'
import type { OpenedProvider, Records } from './provider.ts'

/** The record of a payment. */
const isRefunded = fits(Type.Object({ refundedMinor: Type.Integer() }))

const sumOf = (record: unknown) => (isRefunded(record) ? record.refundedMinor : 0)

const progressOf = (refundedMinor: number) => ({
  refundedMinor,
  pendingMinor: 0,
  refundId: null,
  failedIds: [],
})

/** The refunds of a provider that moves no money itself. */
export const recordedRefunds = (records: Records): Pick<OpenedProvider, 'refund' | 'refunds'> => ({
  async refund(paymentId, { storedMinor, totalRefundMinor }) {
    const refundedMinor = Math.min(totalRefundMinor ?? storedMinor, storedMinor)
    await records.change(paymentId, (former) => ({
      refundedMinor: Math.max(sumOf(former), refundedMinor),
    }))
    return { ...progressOf(refundedMinor), amountMinor: storedMinor }
  },
  refunds: async (paymentId) => progressOf(sumOf(await records.read(paymentId))),
})
