import type { orderCsvCalls } from '#app/orders/admin-contract.ts'
import { downloadCsv } from '#app/shared/server/csv/write.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import { exportOrders } from './export.ts'

export const orderCsvHandlers = ({ db }: { db: Database }): Handlers<typeof orderCsvCalls> => ({
  exportOrders: ({ reply }) => downloadCsv(reply, 'orders', exportOrders(db)),
})
