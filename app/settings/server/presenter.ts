import type { Insertable } from 'kysely'
import type { Row, Schema } from '#db/schema.ts'
import type { Settings } from '../admin-contract.ts'
import type { DisplayedSettings } from '../contract.ts'
import { styleOf } from '../theme-contract.ts'
import { DEFAULTS } from './defaults.ts'
import type { DisplayedRow } from './store.ts'

const defaultSettings = (): DisplayedSettings => {
  const {
    slides: _slides,
    about: _about,
    contact: _contact,
    policy: _policy,
    mailsOrders: _mailsOrders,
    ...rest
  } = DEFAULTS
  return { ...rest, logo: null, style: '' }
}

/** The settings as every page has them; the defaults without a row. */
export function presentDisplayed(row: DisplayedRow | undefined): DisplayedSettings {
  if (!row) return defaultSettings()
  const { logo, logo_width: width, logo_height: height, accent } = row
  return {
    name: row.name,
    tagline: row.tagline,
    logo: logo === null || width === null || height === null ? null : { id: logo, width, height },
    email: row.email,
    phone: row.phone,
    tollFree: row.toll_free,
    address: row.address,
    accent,
    scheme: row.scheme,
    style: styleOf(accent),
    currencyDisplay: row.currency_display,
    locale: row.locale,
    timeZone: row.time_zone,
    lowStock: row.low_stock,
    priceBands: row.price_bands,
  }
}

/** All settings, as admins edit them; the defaults without a row. */
export function presentSettings(row: Row<'settings'> | undefined): Settings {
  if (!row) return DEFAULTS
  return {
    name: row.name,
    tagline: row.tagline,
    logo: row.logo,
    email: row.email,
    phone: row.phone,
    tollFree: row.toll_free,
    address: row.address,
    accent: row.accent,
    scheme: row.scheme,
    slides: row.slides,
    about: row.about,
    contact: row.contact,
    policy: row.policy,
    currencyDisplay: row.currency_display,
    locale: row.locale,
    timeZone: row.time_zone,
    mailsOrders: row.mails_orders,
    lowStock: row.low_stock,
    priceBands: row.price_bands,
  }
}

/** The row of these settings, with texts trimmed and the colour in lower case. */
export const rowOf = (settings: Settings): Insertable<Schema['settings']> => ({
  name: settings.name.trim(),
  tagline: settings.tagline.trim(),
  logo: settings.logo,
  email: settings.email.trim(),
  phone: settings.phone.trim(),
  toll_free: settings.tollFree.trim(),
  address: settings.address.trim(),
  accent: settings.accent.toLowerCase(),
  scheme: settings.scheme,
  slides: JSON.stringify(
    settings.slides.map(({ picture, title, text, link }) => ({
      picture,
      title: title.trim(),
      text: text.trim(),
      link,
    })),
  ),
  about: settings.about,
  contact: settings.contact,
  policy: settings.policy,
  currency_display: settings.currencyDisplay,
  locale: settings.locale,
  time_zone: settings.timeZone,
  mails_orders: settings.mailsOrders,
  low_stock: settings.lowStock,
  price_bands: settings.priceBands,
})
