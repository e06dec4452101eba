import { chargeCurrencyOf } from '#app/settings/server/currency.ts'
import { href } from '#app/shared/model/href.ts'
import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { checklistCalls } from '../admin-contract.ts'
import { setupCalls } from '../contract.ts'
import { checklistHandlers, setupHandlers } from './api.ts'
import type { SetupSettings } from './checklist.ts'
import { createCode } from './service.ts'

export const setup: DomainModule<
  SetupSettings & { CURRENCY_CHARGE: string; isCurrencySet: boolean }
> = {
  open: ({ db, counters, settings, isDemo, examine }) => ({
    calls: [
      serve(
        setupCalls,
        setupHandlers(db, counters, () => chargeCurrencyOf(settings, { isDemo })),
      ),
      serve(checklistCalls, checklistHandlers({ db, settings, isDemo, examine })),
    ],
    async announce(address) {
      const code = await createCode(db)
      if (code === null) return []
      return [
        `The shop has no admin yet. Set it up at ${settings.SHOP_URL ?? address}${href('/first-run')}`,
        `Code of the first run: ${code}`,
      ]
    },
  }),
}
