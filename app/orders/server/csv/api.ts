import type { orderCsvCalls } from '#app/orders/admin-contract.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { sendFile } from '#app/shared/server/send-file.ts'
import type { Database } from '#db/schema.ts'
import { exportOrders } from './export.ts'

export const orderCsvHandlers = ({ db }: { db: Database }): Handlers<typeof orderCsvCalls> => ({
  exportOrders: ({ recheckCaller, reply }) =>
    sendFile(reply, { name: 'orders', type: 'csv' }, exportOrders(db), recheckCaller),
})
