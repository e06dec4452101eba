import { text } from 'node:stream/consumers'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import type { CommandContext, DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { pictureKey } from '#app/shared/server/pictures/format.ts'
import { AUDITED_STORED_SETTINGS } from '#app/shared/server/stored-settings/stored-settings-store.ts'
import { settingsAdminCalls } from '../admin-contract.ts'
import { connectionCalls } from '../connection-contract.ts'
import { settingsCalls } from '../contract.ts'
import { settingsAdminHandlers, settingsHandlers } from './api.ts'
import { connectionHandlers } from './connections/api.ts'
import type { ConnectionContext } from './connections/service.ts'
import { type ChargeCurrency, chargeCurrencyOf } from './currency.ts'
import { selectIsDemo } from './demo.sql.ts'
import { examineSettings } from './doctor.ts'
import { exportSettings, importSettings } from './file.ts'
import {
  type EnvironmentSettings,
  pictureWidth,
  publicSettingsOf,
  seedSettings,
} from './service.ts'

type Environment = EnvironmentSettings & ConnectionContext['settings']

export const settings: DomainModule<Environment> = {
  async open({ db, settings: environment, stored, counters, isDemo, log }) {
    // stored settings may change it
    const chargedNow = () => chargeCurrencyOf(environment, { isDemo })
    await seedSettings(db, environment, chargedNow(), { isDemo })
    const pageSettings = await publicSettingsOf(db, environment.CURRENCY_CHARGE)
    const connections = { db, stored, settings: environment, isDemo, log }
    return {
      calls: [
        serve(settingsCalls, settingsHandlers(db, chargedNow)),
        serve(settingsAdminCalls, settingsAdminHandlers(db, counters, chargedNow)),
        serve(connectionCalls, connectionHandlers(connections, counters)),
      ],
      pageSettings,
    }
  },
  cacheKeys: [pictureKey(settingsCalls.getPicture.path, pictureWidth)],
  examineData: (db, environment) =>
    examineSettings(db, chargeCurrencyOf(environment, { isDemo: false })),
  auditedRows: AUDITED_STORED_SETTINGS,
}

/** Commands of the command line on the settings. */
export const settingsCommands = {
  async *exportSettings({ db }: CommandContext, _options: object) {
    yield `${JSON.stringify(await exportSettings(db), null, 2)}\n`
  },
  /** The input is the file. */
  async *importSettings(
    { db, input }: CommandContext,
    { chargeCurrency }: { chargeCurrency: Omit<ChargeCurrency, 'isDemo'> },
  ) {
    const isDemo = await selectIsDemo(db)
    const isFixed = chargeCurrency.isFixed && !isDemo
    await importSettings(db, OWNER, await text(input), { ...chargeCurrency, isFixed, isDemo })
    yield 'imported'
  },
}
