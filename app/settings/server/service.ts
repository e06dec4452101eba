/** The merchant's settings: name, logo, contact data, theme, slides, texts and display. */
import type { ClientContext } from '#app/accounts/server/service.ts'
import type { FieldProblem } from '#app/shared/contract/failure.ts'
import type { Picture } from '#app/shared/contract/public-settings.ts'
import type { Caller } from '#app/shared/server/access.ts'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import { publishChanges } from '#app/shared/server/cache/change-feed-store.ts'
import { invalidFields, stale } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { moneyFormatsOf } from '#app/shared/server/intl-money-format.ts'
import { storedWidth } from '#app/shared/server/pictures/format.ts'
import { processPicture } from '#app/shared/server/pictures/process-picture.ts'
import {
  deleteUnusedPictures,
  insertPicture,
  selectPicture,
  selectStoredPictures,
  touchUsedPictures,
} from '#app/shared/server/pictures/store.ts'
import {
  insertDocument,
  onlyKnown,
  selectDocument,
  updateDocument,
} from '#app/shared/server/settings/document-store.ts'
import type { Database } from '#db/schema.ts'
import type { PaymentMethodSettings, Settings } from '../admin-contract.ts'
import { type DisplayedSettings, PICTURE_WIDTHS, SETTINGS_TAG } from '../contract.ts'
import { problemsOf } from '../model.ts'
import { styleOf } from '../theme-model.ts'
import { type ChargeCurrency, currencyConflict, decimalsConflict } from './currency.ts'
import { DEFAULTS, DEMO_SETTINGS, DISPLAYED, HIDDEN } from './defaults.ts'
import { insertNewVersions } from './legal-texts.sql.ts'
import { changesPayments, requireForPayments, warnOfPayments } from './payment-details.ts'
import { isTimeZone, selectDisplayed, selectPriceBands, selectSetting } from './store.ts'

/** The pictures of the carousel that come with the shop. */
const BUILT_IN = ['slide-1', 'slide-2', 'slide-3']

/** The settings that pages and mails show: all but slides and texts. One query. */
export async function settingsOf(db: Database): Promise<DisplayedSettings> {
  const stored = await selectDisplayed(db, Object.keys(HIDDEN))
  const settings = { ...DISPLAYED, logo: null, legalPages: [], ...stored }
  return { ...settings, style: styleOf(settings.accent) }
}

/** The displayed settings with the formats of the currencies of prices and of charges. */
export async function publicSettingsOf(db: Database, currencyCharge: string) {
  const settings = await settingsOf(db)
  const { locale, currencyDisplay } = settings
  return { ...settings, moneyFormats: moneyFormatsOf(locale, [currencyDisplay, currencyCharge]) }
}

/** One setting; its default before the first start. */
export const settingOf = async <Name extends keyof Settings>(
  db: Database,
  name: Name,
): Promise<Settings[Name]> => (await selectSetting(db, name)) ?? DEFAULTS[name]

/** The lowest prices of the bands of the price filter, in major units of their currency. */
export type PriceBands = { lows: readonly number[]; currency: string }

/** The lowest price of each band of the price filter, in major units, ascending from 0, and their currency. */
export async function priceBandsOf(db: Database): Promise<PriceBands> {
  const { priceBands: lows, currencyDisplay: currency } = DEFAULTS
  return (await selectPriceBands(db)) ?? { lows, currency }
}

/** An uploaded picture as WebP, at least 400 pixels wide if it was; undefined when there is none. */
export const pictureBytes = (db: Database, id: string) =>
  selectPicture(db, { id, width: PICTURE_WIDTHS[0], format: 'webp' })

/** The stored width for a requested one. */
export const pictureWidth = (wanted: number = PICTURE_WIDTHS[1]) =>
  storedWidth(PICTURE_WIDTHS, wanted)

/**
 * Stores an uploaded picture in every width and format. Throws `unsupported_media` or `too_large`
 * like the upload of a product's photo.
 */
export async function storePicture(
  db: Database,
  actor: Actor,
  bytes: Buffer,
  signal?: AbortSignal,
): Promise<Picture> {
  const picture = await processPicture(bytes, {
    signal,
    variants: { widths: PICTURE_WIDTHS, keepsTransparency: true },
  })
  await inTransaction(db, actor, (tx) => insertPicture(tx, picture))
  const { version: id, width, height } = picture
  return { id, width, height }
}

/** All settings, with the revision that a save must name. */
export async function allSettingsOf(
  db: Database,
): Promise<{ revision: number; settings: Settings }> {
  const stored = await selectDocument(db, 'shop')
  return { revision: stored?.version ?? 0, settings: { ...DEFAULTS, ...stored?.value } }
}

const publishSettings = (tx: Database) => publishChanges(tx, [{ tag: SETTINGS_TAG, stale_ms: 0 }])

/** What a shop is asked at its beginning. */
export type Beginning = Pick<Settings, 'name'> &
  Partial<Pick<Settings, 'country' | 'currencyDisplay' | 'timeZone'>>

/**
 * Stores what a shop is asked at its beginning, in the caller's transaction; every page shows it from then on.
 * Throws `invalid` with the first field that is wrong.
 */
export async function beginSettings(
  tx: Database,
  beginning: Beginning,
  charged: ChargeCurrency,
): Promise<void> {
  await insertDocument(tx, 'shop', DEFAULTS)
  const { settings } = await allSettingsOf(tx)
  await requireValid(tx, { ...settings, ...beginning }, charged)
  await updateDocument(tx, 'shop', { ...beginning, name: beginning.name.trim() })
  await publishSettings(tx)
}

/** The settings of the environment that become the shop's at its first start. */
export type EnvironmentSettings = {
  SHOP_NAME: string
  CURRENCY_DISPLAY: string
  /** Whether the environment sets the currency of charges. */
  isCurrencySet: boolean
}

/**
 * Stores the settings of a shop that has none: those of the environment, in the currency that live keys
 * charge, and the defaults, in the demo with its texts. Throws when the settings display another currency.
 */
export async function seedSettings(
  db: Database,
  { SHOP_NAME: name, CURRENCY_DISPLAY, isCurrencySet }: EnvironmentSettings,
  charged: ChargeCurrency,
  { isDemo }: { isDemo: boolean },
): Promise<void> {
  const isByKeys = charged.isFixed && !isCurrencySet
  const currencyDisplay = isByKeys ? charged.currency : CURRENCY_DISPLAY
  const displayed = (await selectSetting(db, 'currencyDisplay')) ?? currencyDisplay
  const conflict = currencyConflict(displayed, charged)
  if (conflict)
    throw new Error(
      `${conflict} The settings display ${displayed}: set CURRENCY_CHARGE=${displayed}, or start the shop without CURRENCY_CHARGE and live keys, and change the currency in the back office.`,
    )
  const texts = isDemo ? DEMO_SETTINGS : {}
  await insertDocument(db, 'shop', trimmed({ ...DEFAULTS, ...texts, name, currencyDisplay }))
}

/** The settings that are trimmed before they are stored. */
const LINES = ['name', 'tagline', 'email', 'phone', 'tollFree', 'address'] as const

const METHOD: PaymentMethodSettings = HIDDEN.paymentMethods.bank_transfer

const trimmedMethod = (sent: PaymentMethodSettings): PaymentMethodSettings => ({
  ...onlyKnown(METHOD, sent),
  name: sent.name.trim(),
  instructions: sent.instructions.trim(),
})

/** The settings as they are stored: lines trimmed, the colour in lower case. */
const trimmed = (settings: Settings): Settings => ({
  ...onlyKnown(DEFAULTS, settings),
  ...Object.fromEntries(LINES.map((name) => [name, settings[name].trim()])),
  accent: settings.accent.toLowerCase(),
  slides: settings.slides.map(({ picture, title, text, link }) => ({
    picture,
    title: title.trim(),
    text: text.trim(),
    link,
  })),
  paymentMethods: {
    pay_on_delivery: trimmedMethod(settings.paymentMethods.pay_on_delivery),
    bank_transfer: trimmedMethod(settings.paymentMethods.bank_transfer),
  },
})

/** Throws `invalid` with all problems; nothing happens when there is none. */
function refuse(problems: FieldProblem[]) {
  const [first] = problems
  if (!first) return
  const { field, message } = first
  throw invalidFields(problems, { field, message: `${field}: ${message}` })
}

/** The uploaded pictures by the fields that have them. */
const uploadedPictures = ({ logo, slides }: Settings) => [
  ...(logo === null ? [] : [{ field: 'logo', id: logo }]),
  ...slides
    .map(({ picture: id }, at) => ({ field: `slides.${at}.picture`, id }))
    .filter(({ id }) => !BUILT_IN.includes(id)),
]

const UNKNOWN_TIME_ZONE = 'The database does not know this time zone. Please choose another.'
const GONE_PICTURE = 'This picture does not exist any more. Please upload it again.'

async function requireValid(db: Database, settings: Settings, charged: ChargeCurrency) {
  const conflict =
    currencyConflict(settings.currencyDisplay, charged) ??
    (await decimalsConflict(db, settings.currencyDisplay))
  refuse([
    ...problemsOf(settings),
    ...(conflict ? [{ field: 'currencyDisplay', message: conflict }] : []),
  ])
  if (!(await isTimeZone(db, settings.timeZone)))
    refuse([{ field: 'timeZone', message: UNKNOWN_TIME_ZONE }])
  const uploaded = uploadedPictures(settings)
  const ids = uploaded.map(({ id }) => id)
  const stored = ids.length === 0 ? [] : await selectStoredPictures(db, ids)
  const gone = uploaded.filter(({ id }) => !stored.includes(id))
  refuse(gone.map(({ field }) => ({ field, message: GONE_PICTURE })))
}

const STALE = 'These settings were changed meanwhile. Your changes are not saved yet.'

type Save = {
  revision: number
  settings: Settings
  /** The person who may change how customers pay: an admin whose password was checked, or the owner of the machine. */
  by?: string | undefined
}

/**
 * Checks the password of a caller whose save changes how customers pay; undefined when it changes nothing of
 * that. Throws as `saveSettings`, and about the password.
 */
export async function confirmPaymentChange(
  db: Database,
  client: ClientContext,
  caller: Caller,
  { revision, settings, password }: Save & { password?: string | undefined },
  charged: ChargeCurrency,
): Promise<string | undefined> {
  const present = await allSettingsOf(db)
  if (present.revision !== revision) throw stale(STALE)
  if (!changesPayments(present.settings.paymentMethods, settings.paymentMethods)) return undefined
  await requireValid(db, settings, charged)
  return requireForPayments(db, client, caller, password)
}

/**
 * Replaces the settings; every page shows them from then on. Throws `invalid` with the first field
 * that is wrong, and `stale` when they were saved since the revision. Returns the new revision.
 */
export async function saveSettings(
  db: Database,
  actor: Actor,
  { revision, settings, by }: Save,
  charged: ChargeCurrency,
): Promise<number> {
  return inTransaction(db, actor, async (tx) => {
    await requireValid(tx, settings, charged)
    const { settings: former } = await allSettingsOf(tx)
    const changesMoney = changesPayments(former.paymentMethods, settings.paymentMethods)
    if (changesMoney && by === undefined) throw stale(STALE)
    // the shop has its document from its first start on; a command may run before
    await insertDocument(tx, 'shop', DEFAULTS)
    // open pages and caches show the former pictures for a while
    await touchUsedPictures(tx)
    const saved = await updateDocument(tx, 'shop', trimmed(settings), revision)
    if (!saved) throw stale(STALE)
    if (changesMoney && by !== undefined) await warnOfPayments(tx, by)
    await deleteUnusedPictures(tx)
    await insertNewVersions(tx)
    await publishSettings(tx)
    return saved.version
  })
}
