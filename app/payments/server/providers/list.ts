/** The payment providers. New payments are made at the first one that is open. */
import type { Static, TObject } from 'typebox'
import { bankTransfer } from './bank-transfer.ts'
import { payOnDelivery } from './pay-on-delivery.ts'
import type { PageSources, Provider } from './provider.ts'
import { razorpay } from './razorpay.ts'
import { sandbox } from './sandbox.ts'

/** The settings of all providers. */
export const providerSettings = { ...razorpay.settings, ...sandbox.settings }
export type ProviderSettings = Static<TObject<typeof providerSettings>>

export const PROVIDERS: readonly Provider<ProviderSettings>[] = [
  razorpay,
  sandbox,
  payOnDelivery,
  bankTransfer,
]

const real = PROVIDERS.filter(({ isTest, isByHand }) => !isTest && !isByHand)
const tests = PROVIDERS.filter(({ isTest }) => isTest)

const namesOf = (providers: readonly Provider<ProviderSettings>[]) =>
  providers.map(({ setUp }) => setUp).join(', or ')

/** The settings that are needed to take money, and to take tests, as parts of sentences. */
export const SET_UP = { real: namesOf(real), tests: namesOf(tests) }

/** Rules of settings, by the sentence about one that breaks one. */
export const providerRules: Record<string, (settings: ProviderSettings) => unknown> = {
  ...Object.assign({}, ...PROVIDERS.map(({ rules }) => rules)),
  [`${SET_UP.tests} and ${SET_UP.real} cannot both be set. Remove one of them.`]: (
    settings: ProviderSettings,
  ) => [real, tests].every((some) => some.some(({ modeOf }) => modeOf(settings) !== null)),
}

const setUpBy = (settings: ProviderSettings) =>
  PROVIDERS.filter(({ modeOf }) => modeOf(settings) !== null)

/** The setting by which the shop takes money, as the end of a sentence; null when it takes none. */
export const signOfMoney = (settings: ProviderSettings): string | null =>
  PROVIDERS.find(({ modeOf }) => modeOf(settings) === 'live')?.signs.live ?? null

/** Whether the shop takes money with these settings. */
export const takesMoney = (settings: ProviderSettings): boolean => signOfMoney(settings) !== null

/** What the pages of the providers that are set up may load. */
export function pageSourcesOf(settings: ProviderSettings): PageSources {
  const pages = setUpBy(settings).map((provider) => provider.pages)
  return {
    hosts: pages.flatMap(({ hosts }) => hosts),
    frames: pages.flatMap(({ frames }) => frames),
    payment: pages.flatMap(({ payment }) => payment),
  }
}

/** What texts call a provider, also one that is not open. */
export const labelOf = (name: string): string =>
  PROVIDERS.find((provider) => provider.name === name)?.label ?? name

/** The settings by which each provider takes money. */
export const liveSettings = () =>
  real.map(({ label, settings, api }) => ({
    label,
    settings: Object.keys(settings).filter((name) => name !== api?.setting),
  }))
