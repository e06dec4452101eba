/** Command-line commands on the settings. */
import { text } from 'node:stream/consumers'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import type { CommandContext } from '#app/shared/server/domain-module.ts'
import { exportSettings, importSettings } from './file.ts'
import type { ChargeCurrency } from './service.ts'

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
