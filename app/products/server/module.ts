import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { productAdminCalls, productCsvCalls } from '../admin-contract.ts'
import { productCalls } from '../contract.ts'
import { searchCalls } from '../search-contract.ts'
import { productAdminHandlers, productHandlers } from './api.ts'
import { productCacheKeys } from './cache-keys.ts'
import { productCsvHandlers } from './csv/api.ts'
import { searchHandlers } from './search/api.ts'
import { AUDITED_PRODUCTS, PRODUCT_INVARIANTS } from './store.ts'

export const products: DomainModule = {
  open: ({ db, counters, keep }) => ({
    calls: [
      serve(productCalls, productHandlers({ db, keep })),
      serve(searchCalls, searchHandlers({ db, counters })),
      serve(productAdminCalls, productAdminHandlers({ db })),
      serve(productCsvCalls, productCsvHandlers({ db })),
    ],
  }),
  cacheKeys: productCacheKeys,
  invariants: PRODUCT_INVARIANTS,
  auditedRows: AUDITED_PRODUCTS,
}
