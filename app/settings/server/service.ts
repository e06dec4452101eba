/** The merchant's settings: name, logo, contact data, theme, slides, texts and display. */
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { publishChanges } from '#app/shared/server/cache/change-feed-store.ts'
import { invalidFields, stale } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { moneyFormatsOf } from '#app/shared/server/money-format.ts'
import type { Database } from '#db/schema.ts'
import type { Settings } from '../admin-contract.ts'
import { type Problem, problemsOf } from '../checks-contract.ts'
import {
  type DisplayedSettings,
  PICTURE_WIDTHS,
  type PublicSettings,
  SETTINGS_TAG,
} from '../contract.ts'
import { DEFAULTS, defaultsOf, type EnvironmentSettings } from './defaults.ts'
import { presentDisplayed, presentSettings, rowOf } from './presenter.ts'
import {
  deleteUnusedPictures,
  insertSettings,
  isTimeZone,
  selectDisplayed,
  selectPriceBands,
  selectSettings,
  selectStoredPictures,
  selectVariant,
  touchUsedPictures,
  updateName,
  updateSettings,
} from './store.ts'

/** The pictures of the carousel that come with the shop. */
const BUILT_IN = ['slide-1', 'slide-2', 'slide-3']

/** The settings that pages and mails show: all but slides and texts. One query. */
export const settingsOf = async (db: Database): Promise<DisplayedSettings> =>
  presentDisplayed(await selectDisplayed(db))

/** The same with the formats of the currencies of prices and of charges. */
export async function publicSettingsOf(
  db: Database,
  currencyCharge: string,
): Promise<Omit<PublicSettings, 'hasAdmin'>> {
  const settings = await settingsOf(db)
  const { locale, currencyDisplay } = settings
  return { ...settings, moneyFormats: moneyFormatsOf(locale, [currencyDisplay, currencyCharge]) }
}

/** An uploaded picture as WebP, at least 400 pixels wide if it was; undefined when there is none. */
export async function pictureBytes(db: Database, id: string): Promise<Buffer | undefined> {
  const [width] = PICTURE_WIDTHS
  const variant = await selectVariant(db, { id, width, format: 'webp' })
  return variant && Buffer.from(variant.bytes)
}

/** The lowest price of each band of the price filter, in major units, ascending from 0. */
export const priceBandsOf = async (db: Database): Promise<number[]> =>
  (await selectPriceBands(db))?.price_bands ?? DEFAULTS.priceBands

/** All settings, with the revision that a save must name. */
export async function allSettingsOf(
  db: Database,
): Promise<{ revision: number; settings: Settings }> {
  const row = await selectSettings(db)
  return { revision: row?.revision ?? 0, settings: presentSettings(row) }
}

/** Changes the name alone, in the caller's transaction; every page shows it from then on. */
export async function nameShop(tx: Database, name: string): Promise<void> {
  await insertSettings(tx, rowOf(DEFAULTS))
  await updateName(tx, name.trim())
  await publishChanges(tx, [{ tag: SETTINGS_TAG, stale_ms: 0 }])
}

/** The currency in which a shop that takes money charges; null where any may be displayed. */
export type ChargeCurrency = string | null

/** Why a currency may not be displayed. */
const currencyConflict = (displayed: string, charged: ChargeCurrency): string | null =>
  charged === null || charged === displayed
    ? null
    : `Payments are charged in ${charged}: with live keys, prices must be displayed in the same currency.`

/**
 * Stores the settings of a shop that has none: those of the environment, in the currency that live keys
 * charge, and the defaults. Throws when the settings display another currency.
 */
export async function seedSettings(
  db: Database,
  environment: EnvironmentSettings,
  charged: ChargeCurrency,
): Promise<void> {
  const CURRENCY_DISPLAY = charged ?? environment.CURRENCY_DISPLAY
  const displayed = (await selectDisplayed(db))?.currency_display ?? CURRENCY_DISPLAY
  const conflict = currencyConflict(displayed, charged)
  if (conflict)
    throw new Error(
      `${conflict} The settings display ${displayed}: set CURRENCY_CHARGE=${displayed}, or start the shop without the live keys and change the currency in the back office.`,
    )
  await insertSettings(db, rowOf(defaultsOf({ ...environment, CURRENCY_DISPLAY })))
}

/** Throws `invalid` with all problems; nothing happens when there is none. */
function refuse(problems: Problem[]) {
  const [first] = problems
  if (!first) return
  const { field, message } = first
  throw invalidFields(problems, { field, message: `${field}: ${message}` })
}

async function requireValid(db: Database, settings: Settings, charged: ChargeCurrency) {
  const conflict = currencyConflict(settings.currencyDisplay, charged)
  refuse([
    ...problemsOf(settings),
    ...(conflict ? [{ field: 'currencyDisplay', message: conflict }] : []),
  ])
  if (!(await isTimeZone(db, settings.timeZone)))
    refuse([
      {
        field: 'timeZone',
        message: 'The database does not know this time zone. Please choose another.',
      },
    ])
  const used = [settings.logo, ...settings.slides.map(({ picture }) => picture)]
  const uploaded = [
    ...new Set(used.filter((id): id is string => id !== null && !BUILT_IN.includes(id))),
  ]
  const stored = uploaded.length === 0 ? [] : await selectStoredPictures(db, uploaded)
  const gone = [
    ...(settings.logo === null || stored.includes(settings.logo) ? [] : ['logo']),
    ...settings.slides.flatMap(({ picture }, at) =>
      [...BUILT_IN, ...stored].includes(picture) ? [] : [`slides.${at}.picture`],
    ),
  ]
  const message = 'This picture does not exist any more. Please upload it again.'
  refuse(gone.map((field) => ({ field, message })))
}

/**
 * Replaces the settings; every page shows them from then on. Throws `invalid` with the first field
 * that is wrong, and `stale` when they were saved since the revision. Returns the new revision.
 */
export async function saveSettings(
  db: Database,
  actor: Actor,
  { revision, settings }: { revision: number; settings: Settings },
  charged: ChargeCurrency,
): Promise<number> {
  return inTransaction(db, actor, async (tx) => {
    await requireValid(tx, settings, charged)
    // the shop has a row from its first start on; a command may run before
    await insertSettings(tx, rowOf(DEFAULTS))
    // open pages and caches show the former pictures for a while
    await touchUsedPictures(tx)
    const saved = await updateSettings(tx, { revision, ...rowOf(settings) })
    if (!saved)
      throw stale('These settings were changed meanwhile. Your changes are not saved yet.')
    await deleteUnusedPictures(tx)
    await publishChanges(tx, [{ tag: SETTINGS_TAG, stale_ms: 0 }])
    return saved.revision
  })
}
