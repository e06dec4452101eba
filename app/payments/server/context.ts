import type { Log } from '#app/shared/server/domain-module.ts'
import type { PaymentProvider } from './providers/provider.ts'

/** The provider, the log, and the payment settings of the shop. A process builds it once. */
export type PaymentContext = {
  provider: PaymentProvider
  log: Log
  /** The currency of charges (ISO 4217). */
  currency: string
  /** How long a started payment reserves its stock, and unmatched money waits to be claimed. */
  reservationMinutes: number
  /** The first pause before the provider is polled or a refund is retried; later pauses grow. */
  retrySeconds: number
}
