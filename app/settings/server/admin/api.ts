import type { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { markdownProblem } from '#app/settings/checks-contract.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import { invalid } from '#app/shared/server/failure.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import { exportSettings } from '../file.ts'
import { storePicture } from '../pictures.ts'
import { allSettingsOf, type ChargeCurrency, saveSettings } from '../service.ts'
import { renderText } from '../text.ts'

type Context = { db: Database; charged: ChargeCurrency }

/** The handlers of the back office's calls. */
export const settingsAdminHandlers = ({
  db,
  charged,
}: Context): Handlers<typeof settingsAdminCalls> => ({
  getAllSettings: () => allSettingsOf(db),
  async saveSettings({ body, caller }) {
    const revision = await saveSettings(db, admin(caller), body, charged)
    return { success: true, message: 'The settings are saved', revision }
  },
  async uploadPicture({ photo, caller }) {
    if (!photo) throw invalid('photo is required.', 'photo')
    const picture = await storePicture(db, admin(caller), photo)
    return { success: true, message: 'The picture is uploaded', picture }
  },
  async previewText({ body: { text } }) {
    const problem = markdownProblem(text)
    if (problem !== null) throw invalid(problem, 'text')
    return { nodes: await renderText(text) }
  },
  async exportSettings({ reply }) {
    reply.header('content-disposition', 'attachment; filename="settings.json"')
    return exportSettings(db)
  },
})
