/** The doctor's comparison of refunds with the providers. */
import { type Finding, ok, problem, reason, warning } from '#app/shared/server/doctor/finding.ts'
import type { Database } from '#db/schema.ts'
import { type OpenProvider, openProviders } from '../context.ts'
import { PROVIDERS, type ProviderSettings } from '../providers/list.ts'
import { selectRefundedAt } from '../refunds/refund-list-store.ts'

/** How many payments are compared: each is a request. */
const COMPARED = 20

const SILENT = { debug() {}, warn() {}, error() {} }

const ADVICE =
  "Compare these payments with the provider's dashboard. The shop lists them under Payments after its next poll."

/** The payments whose refunds at the provider are another sum than here. */
async function differencesOf(provider: OpenProvider, db: Database): Promise<Finding> {
  const payments = await selectRefundedAt(db, provider, COMPARED)
  const different: string[] = []
  for (const { id, refunded_minor } of payments) {
    const { refundedMinor } = await provider.refunds(id)
    if (refundedMinor !== refunded_minor) different.push(id)
  }
  if (different.length === 0)
    return ok(
      'Refunds',
      `${provider.label} has the same as the shop of ${payments.length} payments`,
    )
  const found = `${provider.label} has refunded another amount than the shop knows of: ${different.join(', ')}`
  return problem('Refunds', found, ADVICE)
}

/** Compares what was refunded here with what the providers say, of the newest refunded payments. */
export async function examineRefunds(db: Database, settings: ProviderSettings): Promise<Finding[]> {
  const real = PROVIDERS.filter(({ isTest, isByHand }) => !isTest && !isByHand)
  const opened = await openProviders(db, settings, { log: SILENT, isDemo: false }, real)
  const findings: Finding[] = []
  for (const provider of opened) {
    try {
      findings.push(await differencesOf(provider, db))
    } catch (error) {
      const found = `they could not be compared with ${provider.label}: ${reason(error)}`
      findings.push(warning('Refunds', found, 'Run the doctor again when the provider answers.'))
    }
  }
  return findings
}
