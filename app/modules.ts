/** The domain modules of the process. No page imports this file. */
import { accountCommands, accounts } from './accounts/server/module.ts'
import { audit } from './audit/server/module.ts'
import { categories } from './categories/server/module.ts'
import { checkout } from './checkout/server/module.ts'
import { coupons } from './coupons/server/module.ts'
import { emailCommands, emails } from './emails/server/module.ts'
import { orderCommands, orders } from './orders/server/module.ts'
import { overview } from './overview/server/module.ts'
import { payments } from './payments/server/module.ts'
import { productCommands, products } from './products/server/module.ts'
import { seo } from './seo/server/module.ts'
import { settings, settingsCommands } from './settings/server/module.ts'
import { setup } from './setup/server/module.ts'
import { shipping } from './shipping/server/module.ts'
import { taxes } from './taxes/server/module.ts'

export const modules = [
  settings,
  accounts,
  categories,
  products,
  shipping,
  taxes,
  checkout,
  coupons,
  payments,
  orders,
  emails,
  audit,
  overview,
  seo,
  setup,
]

/**
 * The personal data of all domains. Closing an account changes tables in this order: payments before orders,
 * as every transaction locks them.
 */
export const personalData = Object.fromEntries(
  modules.flatMap(({ personalData = {} }) => Object.entries(personalData)),
)

/** The rows of all domains that the history shows, by their tables. */
export const auditedRows = Object.fromEntries(
  modules.flatMap(({ auditedRows = {} }) => Object.entries(auditedRows)),
)

/** The commands of the command line, by name. */
export const ownerCommands = {
  ...accountCommands,
  ...productCommands,
  ...orderCommands,
  ...settingsCommands,
  ...emailCommands,
}
