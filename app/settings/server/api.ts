import { hasAdmin } from '#app/accounts/server/service.ts'
import { LEGAL_PAGES } from '#app/shared/contract/public-settings.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import { invalid, noSuchAddress, notFound } from '#app/shared/server/failure.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { bestFormat, cacheControl, setFormat } from '#app/shared/server/pictures/format.ts'
import { selectPicture } from '#app/shared/server/pictures/store.ts'
import type { Database } from '#db/schema.ts'
import type { settingsAdminCalls } from '../admin-contract.ts'
import type { settingsCalls } from '../contract.ts'
import { markdownProblem } from '../text-model.ts'
import type { ChargeCurrency } from './currency.ts'
import { exportSettings } from './file.ts'
import {
  allSettingsOf,
  confirmPaymentChange,
  pictureWidth,
  publicSettingsOf,
  saveSettings,
  settingOf,
  storePicture,
} from './service.ts'

/** The currency of charges may change at any time. */
export function settingsHandlers(
  db: Database,
  chargedNow: () => ChargeCurrency,
): Handlers<typeof settingsCalls> {
  let isAdministered = false
  return {
    async getSettings() {
      // one always remains
      isAdministered ||= await hasAdmin(db)
      return { ...(await publicSettingsOf(db, chargedNow().currency)), hasAdmin: isAdministered }
    },
    getSlides: () => settingOf(db, 'slides'),
    async getText({ params: { page } }) {
      const { renderText, summaryOf } = await import('./text.ts')
      const nodes = renderText(await settingOf(db, page))
      // those of the specification are pages without a text, too
      if (nodes.length === 0 && LEGAL_PAGES.some((one) => one === page)) throw noSuchAddress()
      return { nodes, summary: summaryOf(nodes) }
    },
    async getPicture({ params: { id }, query: { w }, request, reply }) {
      const format = bestFormat(request.headers.accept)
      const bytes = await selectPicture(db, { id, width: pictureWidth(w), format })
      if (!bytes) throw notFound('There is no such picture.')
      setFormat(reply, format)
      // a picture never changes under its id
      reply.header('cache-control', cacheControl(true))
      return bytes
    },
  }
}

export const settingsAdminHandlers = (
  db: Database,
  counters: CounterStore,
  chargedNow: () => ChargeCurrency,
): Handlers<typeof settingsAdminCalls> => ({
  getAllSettings: () => allSettingsOf(db),
  async saveSettings({ body, caller, request: { ip: address } }) {
    const by = await confirmPaymentChange(db, { counters, address }, caller, body, chargedNow())
    const revision = await saveSettings(db, admin(caller), { ...body, by }, chargedNow())
    return { success: true, message: 'The settings are saved', revision }
  },
  async uploadPicture({ photo, clientLeft, caller }) {
    if (!photo) throw invalid('photo is required.', 'photo')
    const picture = await storePicture(db, admin(caller), photo, clientLeft)
    return { success: true, message: 'The picture is uploaded', picture }
  },
  async previewText({ body: { text } }) {
    const problem = markdownProblem(text)
    if (problem !== null) throw invalid(problem, 'text')
    const { renderText } = await import('./text.ts')
    return { nodes: renderText(text) }
  },
  async exportSettings({ reply }) {
    reply.header('content-disposition', 'attachment; filename="settings.json"')
    return exportSettings(db)
  },
})
