import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { seoCalls } from '../contract.ts'
import { seoHandlers, serveDocuments } from './api.ts'
import type { SeoSettings } from './shop-facts.ts'

export const seo: DomainModule<SeoSettings> = {
  open({ db, settings }) {
    // it may be stored at any time
    const url = () => settings.SHOP_URL ?? null
    return {
      calls: [serve(seoCalls, seoHandlers({ db, url }))],
      addRoutes: (app) => serveDocuments(app, { db, url, dataDir: settings.DATA_DIR }),
    }
  },
}
