import { text } from 'node:stream/consumers'
import { type ProviderSettings, takesMoney } from '#app/payments/server/providers/list.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import type { CommandContext, DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { pictureKey } from '#app/shared/server/pictures/format.ts'
import { settingsAdminCalls } from '../admin-contract.ts'
import { settingsCalls } from '../contract.ts'
import { settingsAdminHandlers, settingsHandlers } from './api.ts'
import { examineSettings } from './doctor.ts'
import { exportSettings, importSettings } from './file.ts'
import {
  type ChargeCurrency,
  type EnvironmentSettings,
  pictureWidth,
  publicSettingsOf,
  seedSettings,
} from './service.ts'

type Environment = EnvironmentSettings & ProviderSettings & { CURRENCY_CHARGE: string }

const chargeCurrencyOf = (environment: Environment): ChargeCurrency => ({
  currency: environment.CURRENCY_CHARGE,
  takesMoney: takesMoney(environment),
})

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
  cacheKeys: [pictureKey(settingsCalls.getPicture.path, pictureWidth)],
  examineData: examineSettings,
}

/** Commands of the command line on the settings. */
export const settingsCommands = {
  async *exportSettings({ db }: CommandContext, _options: object) {
    yield `${JSON.stringify(await exportSettings(db), null, 2)}\n`
  },
  /** The input is the file. */
  async *importSettings(
    { db, input }: CommandContext,
    { chargeCurrency }: { chargeCurrency: ChargeCurrency },
  ) {
    await importSettings(db, OWNER, await text(input), chargeCurrency)
    yield 'imported'
  },
}
