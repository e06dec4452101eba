import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { orderAdminCalls, orderCsvCalls } from '../admin-contract.ts'
import { orderCalls } from '../contract.ts'
import { invoiceCalls } from '../invoice-contract.ts'
import { invoiceHandlers, orderAdminHandlers, orderCsvHandlers, orderHandlers } from './api.ts'
import { ORDER_INVARIANTS } from './invariants-store.ts'
import { invoiceJob } from './invoice.ts'
import { AUDITED_ORDERS, countOrdersByStatus, ordersOfUser, updateBuyerName } from './store.ts'

export const orders: DomainModule<{ CURRENCY_CHARGE: string }> = {
  open: ({ db, settings: { CURRENCY_CHARGE: currency } }) => ({
    calls: [
      serve(orderCalls, orderHandlers({ db })),
      serve(invoiceCalls, invoiceHandlers({ db })),
      serve(orderAdminCalls, orderAdminHandlers({ db, currency })),
      serve(orderCsvCalls, orderCsvHandlers({ db })),
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
