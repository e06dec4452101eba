import type { Log, PaymentProvider } from './providers/provider.ts'

/** What payments are made with: who takes the money, and the rules of the shop. */
export type Desk = {
  provider: PaymentProvider
  log: Log
  /** What is charged in (ISO 4217). */
  currency: string
  /** How long a started payment holds its stock, and money may wait to be claimed. */
  holdMinutes: number
  /** How long to wait before the provider is asked once more; the pauses grow from there. */
  retrySeconds: number
}
