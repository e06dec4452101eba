import type { CommandContext, DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { orderAdminCalls } from '../admin-contract.ts'
import { orderCalls } from '../contract.ts'
import { orderAdminHandlers, orderHandlers } from './api.ts'
import { exportOrders } from './export.ts'
import { ORDER_INVARIANTS } from './invariants-store.ts'
import { invoiceJob } from './invoice.ts'
import { AUDITED_ORDERS, countOrdersByStatus, ordersOfUser, updateBuyerName } from './store.ts'

export const orders: DomainModule<{ CURRENCY_CHARGE: string }> = {
  open: ({ db, settings: { CURRENCY_CHARGE: currency } }) => ({
    calls: [
      serve(orderCalls, orderHandlers({ db })),
      serve(orderAdminCalls, orderAdminHandlers({ db, currency })),
    ],
    jobs: [invoiceJob(db)],
  }),
  gauges: [{ name: 'haat_orders', help: 'Orders, by their status', count: countOrdersByStatus }],
  personalData: {
    orders: {
      section: ordersOfUser,
      erase: (tx, { userId, newName }) => updateBuyerName(tx, userId, newName),
    },
  },
  invariants: ORDER_INVARIANTS,
  auditedRows: AUDITED_ORDERS,
}

/** Commands of the command line on orders. */
export const orderCommands = {
  exportOrders: ({ db }: CommandContext, _options: object) => exportOrders(db),
}
