import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { seoCalls } from '../contract.ts'
import { seoHandlers, serveDocuments } from './api.ts'
import type { SeoSettings } from './shop-facts.ts'

export const seo: DomainModule<SeoSettings> = {
  open: ({ db, settings: { SHOP_URL: url = null, DATA_DIR: dataDir } }) => ({
    calls: [serve(seoCalls, seoHandlers({ db, url }))],
    addRoutes: (app) => serveDocuments(app, { db, url, dataDir }),
  }),
}
