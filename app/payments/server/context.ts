/** What payments need in each process: the open providers, the log, and the settings of the shop. */
import type { Log, ModuleContext, Trace } from '#app/shared/server/domain-module.ts'
import { sharedSecret } from '#app/shared/server/secret-store.ts'
import type { Database } from '#db/schema.ts'
import { PROVIDERS, type ProviderSettings, SET_UP } from './providers/list.ts'
import type { Amount, Environment, OpenedProvider } from './providers/provider.ts'
import { recordsOf } from './providers/records-store.ts'
import { selectPayment } from './store.ts'
import { PAYABLE } from './transitions.ts'

/** The settings of the environment that payments read; `server/config-schema.ts` explains the shop's own. */
export type PaymentSettings = ProviderSettings & {
  CURRENCY_CHARGE: string
  RESERVATION_MINUTES: number
  RETRY_SECONDS: number
  RATE_LIMIT: 'on' | 'off'
}

export type OpenProvider = OpenedProvider & { name: string; label: string; isByHand?: boolean }

/** The providers that are open, in the order of the list. A payment is verified, polled and refunded at its own. */
export type Providers = {
  all: OpenProvider[]
  get: (name: string) => OpenProvider | undefined
  /** Where new payments are made; null where payments are not set up. */
  current: OpenProvider | null
}

/** Stored settings may replace the providers at any time. */
export type PaymentContext = {
  providers: Providers
  log: Log
  /** The currency of what the provider is told, figure for figure; null: that of the shop. Only in the demo it differs. */
  providerCurrency: string | null
  /** How long a started payment reserves its stock, and unmatched money waits to be claimed. */
  reservationMinutes: number
  /** The first pause before the provider is polled or a refund is retried; later pauses grow. */
  retrySeconds: number
}

/** The provider with its network calls traced. */
const traced = (provider: OpenProvider, trace: Trace): OpenProvider => ({
  ...provider,
  start: (order) => trace(`${provider.name} start`, () => provider.start(order)),
  lookUp: (order) => trace(`${provider.name} lookUp`, () => provider.lookUp(order)),
  ...(provider.capture && {
    capture: (id, amount) =>
      trace(`${provider.name} capture`, async () => provider.capture?.(id, amount)),
  }),
  refund: (id, request) => trace(`${provider.name} refund`, () => provider.refund(id, request)),
  refunds: (id) => trace(`${provider.name} refunds`, () => provider.refunds(id)),
})

/** Providers by their names. */
export const providersOf = (all: OpenProvider[]): Providers => ({
  all,
  get: (name) => all.find((provider) => provider.name === name),
  current: all.find(({ mode, isByHand }) => mode !== 'none' && !isByHand) ?? null,
})

/** The demo shows one currency and charges in another one, as specified (spec §9). */
const providerCurrencyOf = ({ settings, isDemo }: Pick<Options, 'settings' | 'isDemo'>) =>
  isDemo ? settings.CURRENCY_CHARGE : null

/** An amount of the provider as the shop stores it, for a payment in this currency. */
export const asStored = <Stated extends Amount>(
  amount: Stated,
  { currency, providerCurrency }: Pick<PaymentContext, 'providerCurrency'> & { currency: string },
): Stated => (amount.currency === providerCurrency ? { ...amount, currency } : amount)

/** The provider that is told this currency; amounts come back in that of their payment. */
function inCurrency(provider: OpenProvider, currency: string): OpenProvider {
  return {
    ...provider,
    allowsRetries: () => provider.allowsRetries(currency),
    start: (order) => provider.start({ ...order, currency }),
    async lookUp(order) {
      const { payments, ...asked } = await provider.lookUp({ ...order, currency })
      const of = { currency: order.currency, providerCurrency: currency }
      return { ...asStored(asked, of), payments: payments.map((one) => asStored(one, of)) }
    },
    ...(provider.capture && {
      capture: async (id, { amountMinor }) => provider.capture?.(id, { amountMinor, currency }),
    }),
  }
}

const environmentOf = (
  db: Database,
  name: string,
  { log, isDemo }: Pick<Environment, 'log' | 'isDemo'>,
): Omit<Environment, 'isFirst'> => ({
  log,
  isDemo,
  records: recordsOf(db, name),
  sharedSecret: () => sharedSecret(db, `${name}_secret`),
  async isPayable(orderId) {
    const payment = await selectPayment(db, orderId)
    return payment?.provider === name ? PAYABLE.includes(payment.state) : null
  },
  fetch: (...request) => fetch(...request),
})

/** Opens the providers that are set up. */
export async function openProviders(
  db: Database,
  settings: ProviderSettings,
  facts: Pick<Environment, 'log' | 'isDemo'>,
  providers = PROVIDERS,
): Promise<OpenProvider[]> {
  const all: OpenProvider[] = []
  for (const { name, label, isByHand = false, open } of providers) {
    const environment = { ...environmentOf(db, name, facts), isFirst: all.length === 0 }
    const opened = await open(settings, environment)
    if (opened) all.push({ ...opened, name, label, isByHand })
  }
  return all
}

type Options = Pick<ModuleContext<PaymentSettings>, 'settings' | 'db' | 'isDemo' | 'log' | 'trace'>

type Changing = Pick<PaymentContext, 'providers'>

/** The part of the context that stored settings change. */
export async function openChanging(options: Options): Promise<Changing> {
  const { settings, db, isDemo, log, trace } = options
  const opened = await openProviders(db, settings, { log, isDemo })
  const currency = providerCurrencyOf(options)
  const all = currency === null ? opened : opened.map((one) => inCurrency(one, currency))
  return { providers: providersOf(trace ? all.map((one) => traced(one, trace)) : all) }
}

/** Builds the payment context from the settings. A process does it once. */
export async function openPayments(options: Options) {
  const { settings, log } = options
  const context: PaymentContext = {
    ...(await openChanging(options)),
    providerCurrency: providerCurrencyOf(options),
    log,
    reservationMinutes: settings.RESERVATION_MINUTES,
    retrySeconds: settings.RETRY_SECONDS,
  }
  return context
}

/** Why payments take no money. */
export const reasonOfTests = (name: string): string =>
  PROVIDERS.find((provider) => provider.name === name)?.signs.test ?? ''

/** The startup messages of a shop whose payments take no money. */
export function paymentLines(
  { providers: { current } }: PaymentContext,
  { isDemo }: { isDemo: boolean },
): string[] {
  if (!current)
    return [
      `Payments are not set up: nobody can buy. Set ${SET_UP.real}, or ${SET_UP.tests} to try.`,
    ]
  if (current.mode === 'live') return []
  return [
    `Payments are tests: ${reasonOfTests(current.name)}. No money is taken${isDemo ? '' : ', and such orders are left out of all figures'}.`,
  ]
}
