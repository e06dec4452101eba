import type { Generated, JSONColumnType } from 'kysely'
import type { PhotoFormat } from './schema.ts'
import type { StoredSlide } from './stored-json.ts'

/** The tables of the settings and of the first run; a part of `Schema`. */
export type SettingsTables = {
  setting_pictures: {
    id: string
    width: number
    height: number
    used_at: Generated<Date>
  }
  setting_picture_variants: {
    picture_id: string
    width: number
    format: PhotoFormat
    bytes: Buffer
  }
  settings: {
    id: Generated<string>
    revision: Generated<number>
    name: string
    tagline: string
    logo: string | null
    email: string
    phone: string
    toll_free: string
    address: string
    accent: string
    scheme: 'system' | 'light' | 'dark'
    slides: JSONColumnType<StoredSlide[]>
    about: string
    contact: string
    policy: string
    currency_display: string
    locale: string
    low_stock: number
    price_bands: number[]
    time_zone: Generated<string>
    mails_orders: Generated<boolean>
  }
  first_run_codes: {
    code_hash: Buffer
    created_at: Generated<Date>
  }
}
