import { isTestKey } from '#app/payments/contract.ts'
import type { CacheKeyRule, DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { bestFormat } from '#app/shared/server/pictures/format.ts'
import { settingsAdminCalls } from '../admin-contract.ts'
import { settingsCalls } from '../contract.ts'
import { settingsAdminHandlers, settingsHandlers } from './api.ts'
import { examineSettings } from './doctor.ts'
import {
  type ChargeCurrency,
  type EnvironmentSettings,
  pictureWidth,
  publicSettingsOf,
  seedSettings,
} from './service.ts'

type Environment = EnvironmentSettings & {
  CURRENCY_CHARGE: string
  RAZORPAY_KEY_ID?: string
}

/** Pictures differ by the stored width and by the format that the client prefers. */
const pictures: CacheKeyRule = {
  path: settingsCalls.getPicture.path,
  canonicalQuery: (query) => {
    const { w } = Object.fromEntries(query)
    return [['w', `${pictureWidth(w === undefined ? w : Number(w))}`]]
  },
  typeFor: (accept) => `image/${bestFormat(accept)}`,
}

/** The currency that live keys charge; null without them. */
const chargeCurrencyOf = ({
  CURRENCY_CHARGE,
  RAZORPAY_KEY_ID: key,
}: Environment): ChargeCurrency => (key && !isTestKey(key) ? CURRENCY_CHARGE : null)

export const settings: DomainModule<Environment> = {
  async open({ db, settings: environment }) {
    const charged = chargeCurrencyOf(environment)
    await seedSettings(db, environment, charged)
    const { CURRENCY_CHARGE: currencyCharge } = environment
    const pageSettings = await publicSettingsOf(db, currencyCharge)
    return {
      calls: [
        serve(settingsCalls, settingsHandlers(db, currencyCharge)),
        serve(settingsAdminCalls, settingsAdminHandlers(db, charged)),
      ],
      pageSettings,
    }
  },
  cacheKeys: [pictures],
  examineData: examineSettings,
}
