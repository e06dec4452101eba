/** The domain modules of the process. No page imports this file. */
import { accountCommands } from './accounts/server/commands.ts'
import { accounts } from './accounts/server/module.ts'
import { audit } from './audit/server/module.ts'
import { categories } from './categories/server/module.ts'
import { checkout } from './checkout/server/module.ts'
import { coupons } from './coupons/server/module.ts'
import { orderCommands } from './orders/server/csv/commands.ts'
import { orders } from './orders/server/module.ts'
import { payments } from './payments/server/module.ts'
import { productCommands } from './products/server/csv/commands.ts'
import { products } from './products/server/module.ts'

export const modules = [accounts, categories, products, checkout, coupons, orders, payments, audit]

/** The commands of the command line, by name. */
export const ownerCommands = { ...accountCommands, ...productCommands, ...orderCommands }
