import type { productCsvCalls } from '#app/products/admin-contract.ts'
import { downloadCsv } from '#app/shared/server/csv/write.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import { exportProducts } from './export.ts'

export const productCsvHandlers = ({ db }: { db: Database }): Handlers<typeof productCsvCalls> => ({
  exportProducts: ({ reply }) => downloadCsv(reply, 'products', exportProducts(db)),
})
