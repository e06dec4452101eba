import { atom } from 'nanostores'
import { storedAtom } from '#app/shared/web/storage.ts'
import type { PaymentProof } from '../contract.ts'

/** A paid proof that the server has not answered yet. */
export type Unconfirmed = {
  proof: PaymentProof
  /** The products' ids, one a piece. */
  ids: string[]
  buyerId: string
}

type Unknown<T> = { [Key in keyof T]?: unknown }

const isText = (value: unknown): value is string => typeof value === 'string'

function cleanProof(stored: unknown): PaymentProof | null {
  if (typeof stored !== 'object' || stored === null) return null
  const proof: Unknown<PaymentProof> = stored
  const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = proof
  return isText(razorpay_order_id) && isText(razorpay_payment_id) && isText(razorpay_signature)
    ? { razorpay_order_id, razorpay_payment_id, razorpay_signature }
    : null
}

function cleanOne(stored: unknown): Unconfirmed[] {
  if (typeof stored !== 'object' || stored === null) return []
  const { proof: found, ids, buyerId }: Unknown<Unconfirmed> = stored
  const proof = cleanProof(found)
  if (!proof || !isText(buyerId) || !Array.isArray(ids)) return []
  return [{ proof, ids: ids.filter(isText), buyerId }]
}

const clean = (stored: unknown) => (Array.isArray(stored) ? stored.flatMap(cleanOne) : [])

/** Unanswered proofs, stored so that they survive a reload and a lost connection. */
export const unconfirmedAtom = storedAtom('unconfirmed-payments', atom<Unconfirmed[]>([]), clean)

/** All but this payment. */
export const withoutPayment = (all: Unconfirmed[], { proof }: Unconfirmed) =>
  all.filter((one) => one.proof.razorpay_payment_id !== proof.razorpay_payment_id)
