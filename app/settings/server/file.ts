/** Export and import of the settings with their pictures, as one JSON file. */
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { invalid } from '#app/shared/server/failure.ts'
import { checkOf } from '#app/shared/server/input/validation.ts'
import { selectPicture } from '#app/shared/server/pictures/store.ts'
import type { Database } from '#db/schema.ts'
import { type Settings, SettingsFile } from '../admin-contract.ts'
import { PICTURE_WIDTHS } from '../contract.ts'
import { settingsIn } from '../model.ts'
import type { ChargeCurrency } from './currency.ts'
import { allSettingsOf, saveSettings, storePicture } from './service.ts'

/** The command runs on the machine of the shop. */
const BY_OWNER = 'the owner of the shop, by a command'

const EXPORTED = { width: PICTURE_WIDTHS[2], format: 'webp' } as const

/** The settings with the uploaded pictures that they use. */
export async function exportSettings(db: Database): Promise<SettingsFile> {
  const { settings } = await allSettingsOf(db)
  const ids = new Set([settings.logo, ...settings.slides.map(({ picture }) => picture)])
  const pictures: SettingsFile['pictures'] = []
  for (const id of ids) {
    if (id === null) continue
    const bytes = await selectPicture(db, { id, ...EXPORTED })
    if (bytes) pictures.push({ id, data: bytes.toString('base64') })
  }
  return { format: 'haat-settings', version: 1, settings, pictures }
}

const problemOf = checkOf(SettingsFile)

/** Reads a file. Settings that a file of an older version does not have stay as they are. */
function parse(text: string, present: Settings): SettingsFile {
  let file: Partial<SettingsFile> | null
  try {
    file = JSON.parse(text)
  } catch {
    throw invalid('The file is not JSON.')
  }
  const given: unknown = file?.settings
  const complete = { ...file, settings: given instanceof Object && { ...present, ...given } }
  const problem = problemOf(complete)
  if (problem !== null) throw invalid(`The file is no export of settings: ${problem}`)
  return complete as SettingsFile
}

/**
 * Replaces the settings by those of a file; a picture that this shop has is not stored again.
 * Throws `invalid`, `unsupported_media` or `too_large` with what is wrong, and `stale` when an admin saves
 * the settings meanwhile.
 */
export async function importSettings(
  db: Database,
  actor: Actor,
  text: string,
  charged: ChargeCurrency,
): Promise<void> {
  const { revision, settings: present } = await allSettingsOf(db)
  const settings = await settingsIn(parse(text, present), async ({ id, data }) => {
    if (await selectPicture(db, { id, ...EXPORTED })) return id
    return (await storePicture(db, actor, Buffer.from(data, 'base64'))).id
  })
  await saveSettings(db, actor, { revision, settings, by: BY_OWNER }, charged)
}
