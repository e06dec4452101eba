import { OWNER } from '#app/shared/server/actor/actor.ts'
import type { CommandContext, DomainModule } from '#app/shared/server/domain-module.ts'
import { saveUpload } from '#app/shared/server/input/upload.ts'
import { serve } from '#app/shared/server/mount.ts'
import { stepLines } from '#app/shared/server/step-lines.ts'
import {
  type ImportOptions,
  type ImportStep,
  productAdminCalls,
  productCsvCalls,
} from '../admin-contract.ts'
import { attributeCalls } from '../attribute-contract.ts'
import { catalogueCalls } from '../catalogue-contract.ts'
import { productCalls } from '../contract.ts'
import { photoCalls } from '../photo-contract.ts'
import { previewCalls } from '../preview-contract.ts'
import { publicationCalls } from '../publication-contract.ts'
import { searchCalls } from '../search-contract.ts'
import { variantCalls } from '../variant-contract.ts'
import { catalogueHandlers } from './admin/api.ts'
import { productAdminHandlers, productHandlers } from './api.ts'
import { attributeHandlers } from './attributes/api.ts'
import { productCacheKeys } from './cache-keys.ts'
import { productCsvHandlers, runImport } from './csv/api.ts'
import { exportProducts } from './csv/columns.ts'
import { refreshStaleFacets } from './facets/facets.ts'
import { PRODUCT_INVARIANTS } from './invariants-store.ts'
import { photoEditHandlers } from './photos/api.ts'
import { previewHandlers, publicationHandlers } from './publication/api.ts'
import { applyDueSchedules } from './publication/publication.ts'
import { searchHandlers } from './search/api.ts'
import { AUDITED_PRODUCTS } from './store.ts'
import { variantHandlers } from './variants/api.ts'

export const products: DomainModule = {
  open: ({ db, counters, keep }) => ({
    calls: [
      serve(productCalls, productHandlers({ db, keep, counters })),
      serve(searchCalls, searchHandlers({ db, counters })),
      serve(productAdminCalls, productAdminHandlers({ db })),
      serve(catalogueCalls, catalogueHandlers({ db, keep })),
      serve(photoCalls, photoEditHandlers({ db })),
      serve(attributeCalls, attributeHandlers({ db })),
      serve(variantCalls, variantHandlers({ db })),
      serve(publicationCalls, publicationHandlers({ db })),
      serve(previewCalls, previewHandlers({ db })),
      serve(productCsvCalls, productCsvHandlers({ db })),
    ],
    jobs: [
      {
        name: 'publishing products and sale prices',
        everyMs: 1000,
        run: (closing) => applyDueSchedules(db, closing),
      },
      {
        name: 'facets of products that were changed together',
        everyMs: 1000,
        run: (closing) => refreshStaleFacets(db, closing),
      },
    ],
  }),
  cacheKeys: productCacheKeys,
  invariants: PRODUCT_INVARIANTS,
  auditedRows: AUDITED_PRODUCTS,
}

/** Commands of the command line on products. */
export const productCommands = {
  exportProducts: ({ db }: CommandContext, _options: object) => exportProducts(db),
  /** The input is the file; the output is lines of JSON, as the API answers them. */
  importProducts: ({ db, input }: CommandContext, options: ImportOptions) =>
    stepLines<ImportStep>(async (sendStep) => {
      const { path, remove } = await saveUpload(input, Number.POSITIVE_INFINITY)
      return runImport(db, OWNER, { ...options, path }, sendStep).finally(remove)
    }),
}
