import { type Finding, ok, problem, warning } from '#app/shared/server/doctor/finding.ts'
import type { Database } from '#db/schema.ts'
import type { Settings } from '../admin-contract.ts'
import { type ChargeCurrency, currencyConflict } from './currency.ts'
import { DEMO_SETTINGS } from './defaults.ts'
import { allSettingsOf } from './service.ts'

/** The settings whose values in the demo are placeholders, in words. */
const PLACEHOLDERS = [
  ['email', 'the e-mail address'],
  ['phone', 'the phone number'],
  ['tollFree', 'the toll-free number'],
  ['policy', 'the policy'],
] as const

const list = new Intl.ListFormat('en')

function examineTexts(settings: Settings): Finding {
  const left = PLACEHOLDERS.filter(([name]) => settings[name] === DEMO_SETTINGS[name])
  if (left.length === 0) return ok('Texts', 'customers read no placeholders')
  return warning(
    'Texts',
    `customers read placeholders: ${list.format(left.map(([, words]) => words))}`,
    'Replace them in the settings, or leave contact data empty. Read the texts of About and Contact, too.',
  )
}

/** Whether customers are charged in the currency that they see, and read no placeholders. */
export async function examineSettings(db: Database, charged: ChargeCurrency): Promise<Finding[]> {
  const { settings } = await allSettingsOf(db)
  const { currencyDisplay: displayed } = settings
  const currency =
    currencyConflict(displayed, charged) === null
      ? ok('Currency', `prices and payments are in ${displayed}`)
      : problem(
          'Currency',
          `prices are shown in ${displayed}, and CURRENCY_CHARGE is ${charged.currency}, so the shop does not start`,
          `Set CURRENCY_CHARGE=${displayed}, or change the currency of the settings.`,
        )
  return [currency, examineTexts(settings)]
}
