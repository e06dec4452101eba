/**
 * Payment methods without a provider: an order is placed unpaid, and an admin enters the money that came in, and sends
 * back what is refunded. Nobody can be asked, so nothing is polled; a refund is recorded when it is requested.
 */
import type { PaymentMethod } from '#app/orders/contract.ts'
import { type Environment, type OpenedProvider, type Provider, provider } from './provider.ts'
import { recordedRefunds } from './recorded-refunds.ts'

const openByHand = (name: PaymentMethod, { records }: Environment): OpenedProvider => ({
  mode: 'live',
  publicKey: '',
  script: '',
  dashboardLink: () => null,
  minimumMinor: () => 1,
  allowsRetries: () => false,
  start: async ({ receipt }) => `${name}_${receipt}`,
  lookUp: async ({ amountMinor, currency }) => ({ amountMinor, currency, payments: [] }),
  ...recordedRefunds(records),
  verify: () => false,
})

/** A payment method; merchants set it up in the back office. */
export const byHand = (name: PaymentMethod, label: string): Provider<object> =>
  provider({
    name,
    label,
    isByHand: true,
    settings: {},
    rules: {},
    modeOf: () => null,
    signs: { live: '', test: '' },
    setUp: '',
    pages: { hosts: [], frames: [], payment: [] },
    open: async (_settings, environment) => openByHand(name, environment),
  })
