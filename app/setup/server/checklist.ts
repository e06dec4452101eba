import { sendsEmail } from '#app/emails/server/settings.ts'
import { type ProviderSettings, takesMoney } from '#app/payments/server/providers/list.ts'
import { hasProducts } from '#app/products/server/catalogue.sql.ts'
import { legalRulesOf } from '#app/settings/legal-model.ts'
import { isOwn } from '#app/settings/server/defaults.ts'
import { allSettingsOf } from '#app/settings/server/service.ts'
import { NO_SETTINGS } from '#app/shared/model/shop-settings.ts'
import type { Database } from '#db/schema.ts'
import { STEPS, type Step, type StepName } from '../admin-contract.ts'

/** The settings of the environment that steps depend on. */
export type SetupSettings = ProviderSettings & {
  SMTP_URL?: string
  SHOP_URL?: string
  TRUST_PROXY?: string
}

/** HTTPS needs a reverse proxy, which is trusted with the addresses of visitors. */
const hasPublicAddress = ({ SHOP_URL = '', TRUST_PROXY }: SetupSettings) => {
  const url = URL.parse(SHOP_URL)
  return (
    TRUST_PROXY !== undefined &&
    url?.protocol === 'https:' &&
    !/^(localhost|127\..*|\[::1\])$/.test(url.hostname)
  )
}

/** The steps of setting up the shop, computed from its settings and data. */
export async function checklistOf(db: Database, settings: SetupSettings): Promise<Step[]> {
  const [{ settings: own }, isSelling] = await Promise.all([allSettingsOf(db), hasProducts(db)])
  const { name, logo, country, paymentMethods } = own
  const isPaidByHand = Object.values(paymentMethods).some(({ isOffered }) => isOffered)
  const missing = legalRulesOf(country).required.filter((page) => own[page].trim() === '')
  const done: Record<StepName, boolean> = {
    brand: name !== NO_SETTINGS.name && logo !== null,
    contact: (['email', 'phone', 'tollFree'] as const).some((field) => isOwn(own, field)),
    product: isSelling,
    slides: isOwn(own, 'slides'),
    texts: (['about', 'contact', 'policy'] as const).every((text) => isOwn(own, text)),
    payments: takesMoney(settings) || isPaidByHand,
    email: sendsEmail(settings),
    address: hasPublicAddress(settings),
    legal: country !== '' && missing.length === 0,
  }
  return STEPS.map((step) => ({
    name: step,
    isDone: done[step],
    ...(step === 'legal' && { missing }),
  }))
}
