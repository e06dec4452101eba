import { settingOf } from '#app/settings/server/service.ts'
import { compareClocks } from '#app/shared/server/doctor/clock.ts'
import { type Finding, ok, problem, reason, warning } from '#app/shared/server/doctor/finding.ts'
import type { Examination } from '#app/shared/server/domain-module.ts'
import type { Database } from '#db/schema.ts'
import { PROVIDERS, type ProviderSettings, SET_UP } from '../providers/list.ts'
import type { Provider } from '../providers/provider.ts'

const SET_KEYS = `Set ${SET_UP.real} to take real payments.`

const setTo = (settings: object, name: string): string | undefined => Reflect.get(settings, name)

function examineReports(
  { name, label, webhookSetting }: Provider<ProviderSettings>,
  settings: ProviderSettings,
): Finding[] {
  if (!webhookSetting) return []
  if (setTo(settings, webhookSetting)) return [ok('Payment reports', 'their secret is set')]
  return [
    warning(
      'Payment reports',
      `${webhookSetting} is not set, so the shop asks about each payment by itself`,
      `Add a webhook to https://YOUR-SHOP/api/v1/payment/webhook/${name} in the ${label} dashboard, and set its secret here.`,
    ),
  ]
}

/** The cause of a failed request: the message "fetch failed" alone says nothing. */
const causeOf = (error: unknown): string => {
  const cause = error instanceof Error ? reason(error.cause ?? '') : ''
  return cause === '' ? reason(error) : cause
}

/** Advice for a provider that cannot be reached; another address than its own is rarely intended. */
function adviceOf({ api }: Provider<ProviderSettings>, settings: ProviderSettings) {
  const { host = 'the provider', setting = '' } = api ?? {}
  const url = setTo(settings, setting)
  return url
    ? `${setting} is ${url}: is that correct? The default is ${host}.`
    : `Check that this machine may reach ${host} by HTTPS.`
}

/** Test payments are a warning, and an error where the settings are those of a real shop. */
function examineTests({ signOfRealShop }: Examination, why: string, advice = SET_KEYS): Finding {
  const found = `${why}: no money is taken`
  if (!signOfRealShop) return warning('Test payments', found, advice)
  return problem('Test payments', `${found}, and ${signOfRealShop}`, advice)
}

function examineWithoutKeys(settings: ProviderSettings, shop: Examination): Finding[] {
  const tests = PROVIDERS.filter(({ isTest }) => isTest)
  const chosen = tests.find(({ modeOf }) => modeOf(settings) !== null)
  if (chosen)
    return [examineTests(shop, chosen.signs.test, `${SET_KEYS} Then remove ${chosen.setUp}.`)]
  if (shop.isDemo && tests[0]) return [examineTests(shop, tests[0].signs.test)]
  return []
}

/** Whether customers can pay in a shop without a provider. */
export async function examineMethods(db: Database, settings: ProviderSettings): Promise<Finding[]> {
  if (PROVIDERS.some(({ modeOf }) => modeOf(settings) !== null)) return []
  const offered = Object.values(await settingOf(db, 'paymentMethods')).filter(
    ({ isOffered }) => isOffered,
  )
  if (offered.length === 0)
    return [problem('Payments', 'not set up: customers cannot pay yet', SET_KEYS)]
  const names = offered.map(({ name }) => name).join(', ')
  return [ok('Payments', `no provider is set up; customers pay by: ${names}`)]
}

async function examineKeys(
  provider: Provider<ProviderSettings>,
  settings: ProviderSettings,
): Promise<Finding[]> {
  const { label, ping, modeOf } = provider
  if (!ping) return [ok('Payments', `${label} is set up`)]
  const kind = modeOf(settings)
  const requestedAt = Date.now()
  try {
    const { knowsKeys, at } = await ping(settings)
    const keys = knowsKeys
      ? ok('Payments', `${label} knows the ${kind} keys`)
      : problem(
          'Payments',
          `${label} does not know the ${kind} keys`,
          `Copy the keys anew from the ${label} dashboard; they belong together.`,
        )
    return at ? [keys, compareClocks(label, at, [requestedAt - 1000, Date.now()])] : [keys]
  } catch (error) {
    const found = `${label} cannot be reached: ${causeOf(error)}`
    return [problem('Payments', found, adviceOf(provider, settings))]
  }
}

/** Asks each provider whether it knows the keys, and for its time. */
export async function examinePayments(
  settings: ProviderSettings,
  shop: Examination,
): Promise<Finding[]> {
  const setUp = PROVIDERS.filter(({ isTest, modeOf }) => !isTest && modeOf(settings) !== null)
  if (setUp.length === 0) return examineWithoutKeys(settings, shop)
  const found = await Promise.all(
    setUp.map(async (provider) => [
      ...(await examineKeys(provider, settings)),
      ...(provider.modeOf(settings) === 'test' ? [examineTests(shop, provider.signs.test)] : []),
      ...examineReports(provider, settings),
    ]),
  )
  return found.flat()
}
