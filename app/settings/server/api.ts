import { hasAdmin } from '#app/accounts/server/service.ts'
import { notFound } from '#app/shared/server/failure.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { bestFormat } from '#app/shared/server/photos/best-format.ts'
import type { Database } from '#db/schema.ts'
import type { settingsCalls } from '../contract.ts'
import { DEFAULTS } from './defaults.ts'
import { pictureWidth } from './pictures.ts'
import { publicSettingsOf } from './service.ts'
import { selectSlides, selectTexts, selectVariant } from './store.ts'
import { renderText, summaryOf } from './text.ts'

const FOREVER = 'public, max-age=31536000, immutable'

type Context = {
  db: Database
  /** The currency of charges (ISO 4217). */
  currencyCharge: string
}

/** Asks the database until there is an admin: one always remains. */
function adminCheck(db: Database): () => Promise<boolean> {
  let isFound = false
  return async () => {
    isFound ||= await hasAdmin(db)
    return isFound
  }
}

export const settingsHandlers = ({
  db,
  currencyCharge,
}: Context): Handlers<typeof settingsCalls> => {
  const isAdministered = adminCheck(db)
  return {
    getSettings: async () => ({
      ...(await publicSettingsOf(db, currencyCharge)),
      hasAdmin: await isAdministered(),
    }),
    getSlides: async () => (await selectSlides(db))?.slides ?? DEFAULTS.slides,
    async getText({ params: { page } }) {
      const texts = (await selectTexts(db)) ?? DEFAULTS
      const nodes = await renderText(texts[page])
      return { nodes, summary: summaryOf(nodes) }
    },
    async getPicture({ params: { id }, query: { w }, request, reply }) {
      const format = bestFormat(request.headers.accept)
      const variant = await selectVariant(db, { id, width: pictureWidth(w), format })
      if (!variant) throw notFound('There is no such picture.')
      const vary = [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', ')
      reply.type(`image/${format}`).headers({ vary, 'cache-control': FOREVER })
      return Buffer.from(variant.bytes)
    },
  }
}
