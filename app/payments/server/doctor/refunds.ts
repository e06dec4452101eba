/** The doctor's comparison of refunds with the provider. */
import { type Finding, ok, problem, reason, warning } from '#app/shared/server/doctor/finding.ts'
import type { Database } from '#db/schema.ts'
import type { PaymentProvider } from '../providers/provider.ts'
import type { PaymentSettings } from '../settings.ts'
import { selectRefundedAtProvider } from './refunds-store.ts'

/** How many payments are compared: each is a request. */
const COMPARED = 20

const SILENT = { debug() {}, warn() {}, error() {} }

const ADVICE =
  "Compare these payments with the provider's dashboard. The shop lists them under Payments after its next poll."

/** The payments whose refunds at the provider are another sum than here. */
async function differencesOf(provider: PaymentProvider, db: Database): Promise<Finding> {
  const payments = await selectRefundedAtProvider(db, provider.publicKey, COMPARED)
  const different: string[] = []
  for (const { id, refunded_minor } of payments) {
    const { refundedMinor } = await provider.refundProgress(id)
    if (refundedMinor !== refunded_minor) different.push(id)
  }
  if (different.length === 0)
    return ok('Refunds', `the provider has the same as the shop of ${payments.length} payments`)
  const found = `the provider has refunded another amount than the shop knows of: ${different.join(', ')}`
  return problem('Refunds', found, ADVICE)
}

/** Compares what was refunded here with what the provider says, of the newest refunded payments. */
export async function examineRefunds(
  db: Database,
  { RAZORPAY_KEY_ID: keyId, RAZORPAY_KEY_SECRET: keySecret, RAZORPAY_API_URL }: PaymentSettings,
): Promise<Finding[]> {
  if (!keyId || !keySecret) return []
  // its SDK is loaded only where it is used
  const { razorpay } = await import('../providers/razorpay.ts')
  const provider = razorpay({ keyId, keySecret, log: SILENT, apiUrl: RAZORPAY_API_URL })
  try {
    return [await differencesOf(provider, db)]
  } catch (error) {
    const found = `they could not be compared with the provider: ${reason(error)}`
    return [warning('Refunds', found, 'Run the doctor again when the provider answers.')]
  }
}
