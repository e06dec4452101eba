/** Command-line commands on orders. */
import type { CommandContext } from '#app/shared/server/domain-module.ts'
import { exportOrders } from './export.ts'

export const orderCommands = {
  exportOrders: ({ db }: CommandContext, _options: object) => exportOrders(db),
}
