import type { CommandContext, DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { orderAdminCalls } from '../admin-contract.ts'
import { orderCalls } from '../contract.ts'
import { orderHandlingCalls } from '../handling-contract.ts'
import { orderAdminHandlers, orderHandlers } from './api.ts'
import { exportOrders } from './export.ts'
import { orderHandlingHandlers } from './handling/api.ts'
import { AUDITED_NOTES, deleteNotesAboutUser, notesAboutUser } from './handling/store.ts'
import { ORDER_INVARIANTS } from './invariants-store.ts'
import { invoiceJob } from './invoice.ts'
import { AUDITED_ORDERS, countOrdersByStatus, ordersOfUser, updateBuyerName } from './store.ts'

export const orders: DomainModule<{ SMTP_URL?: string }> = {
  open: ({ db, settings }) => ({
    calls: [
      serve(orderCalls, orderHandlers({ db })),
      serve(orderAdminCalls, orderAdminHandlers({ db })),
      serve(orderHandlingCalls, orderHandlingHandlers({ db, settings })),
    ],
    jobs: [invoiceJob(db)],
  }),
  gauges: [{ name: 'haat_orders', help: 'Orders, by their status', count: countOrdersByStatus }],
  personalData: {
    orders: {
      section: ordersOfUser,
      erase: (tx, { userId, newName }) => updateBuyerName(tx, userId, newName),
    },
    order_notes: {
      section: notesAboutUser,
      erase: (tx, { userId }) => deleteNotesAboutUser(tx, userId),
    },
  },
  invariants: ORDER_INVARIANTS,
  auditedRows: { ...AUDITED_ORDERS, ...AUDITED_NOTES },
}

/** Commands of the command line on orders. */
export const orderCommands = {
  exportOrders: ({ db }: CommandContext, _options: object) => exportOrders(db),
}
