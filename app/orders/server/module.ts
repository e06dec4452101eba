import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { orderAdminCalls, orderCsvCalls } from '../admin-contract.ts'
import { orderCalls } from '../contract.ts'
import { orderAdminHandlers } from './admin/api.ts'
import { orderHandlers } from './api.ts'
import { orderCsvHandlers } from './csv/api.ts'
import { ORDER_INVARIANTS } from './invariants-store.ts'
import { countOrdersByStatus } from './metrics-store.ts'

export const orders: DomainModule = {
  open: ({ db }) => ({
    calls: [
      serve(orderCalls, orderHandlers({ db })),
      serve(orderAdminCalls, orderAdminHandlers({ db })),
      serve(orderCsvCalls, orderCsvHandlers({ db })),
    ],
  }),
  gauges: [{ name: 'haat_orders', help: 'Orders, by their status', count: countOrdersByStatus }],
  invariants: ORDER_INVARIANTS,
}
