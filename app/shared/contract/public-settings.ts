/** The merchant's settings as every page has them. */
import { type Static, Type } from 'typebox'
import { Nullable, stripped, Text } from './fields.ts'

/** The themes of the pages: the visitor's system decides, always light, or always dark. */
export const SCHEMES = ['system', 'light', 'dark'] as const

/** The legal texts of the shop, each at /legal/ and its name. */
export const LEGAL_PAGES = ['imprint', 'terms', 'returns', 'delivery'] as const
export type LegalPage = (typeof LEGAL_PAGES)[number]

const PictureId = Type.String({ pattern: '^[A-Za-z0-9_-]{12}$' })

/** An uploaded picture, with its size in pixels. */
export const Picture = Type.Object({
  id: PictureId,
  width: Type.Integer(),
  height: Type.Integer(),
})
export type Picture = Static<typeof Picture>

/** How amounts of a currency are written in the shop's locale, such as `-$1,234.50`. */
const MoneyFormat = Type.Object({
  affixes: Type.Array(Type.String(), { description: 'Before and after the number' }),
  negativeAffixes: Type.Array(Type.String()),
  decimal: Type.String(),
  digits: Type.Integer({ description: 'The number of decimals' }),
  group: Type.String(),
  groupSizes: Type.Array(Type.Integer(), {
    description: 'Digits in the last group, and in those before it',
  }),
  leastGrouped: Type.Integer({ description: 'The fewest whole digits that are grouped' }),
  numerals: Type.String({ description: 'The digits from 0 to 9' }),
})

/** A bound of a request: admins see the limits of `problemsOf`. */
export const Line = Text({ maxLength: 2000 })

/** The settings that pages read as they are stored. */
export const DISPLAYED = {
  name: stripped('name', Line),
  tagline: stripped('name', Line),
  email: stripped(
    'code',
    Type.String({ ...Line, description: 'Contact data; empty where there is none' }),
  ),
  phone: stripped('code', Line),
  tollFree: stripped('code', Line),
  address: stripped('name', Line),
  accent: Type.String({ ...Line, description: 'The accent colour, such as #b4441f' }),
  scheme: Type.Enum([...SCHEMES]),
  currencyDisplay: Type.String({
    ...Line,
    description: 'The currency of displayed prices, ISO 4217',
  }),
  locale: Type.String({ ...Line, description: 'The format of displayed prices, BCP 47' }),
  timeZone: Type.String({
    ...Line,
    description: "In which the shop's days begin, such as Europe/Berlin",
  }),
  lowStock: Type.Integer({ description: 'The quantity up to which a product is running low' }),
  priceBands: Type.Array(Type.Integer(), {
    description: 'The lowest price of each band of the filter, in major units',
  }),
}

export const PublicSettings = Type.Object({
  ...DISPLAYED,
  logo: Nullable(Picture),
  legalPages: Type.Array(Type.Enum([...LEGAL_PAGES]), {
    description: 'The legal texts that the shop has, each at /legal/ and its name',
  }),
  style: Type.String({
    description: 'CSS with the colours derived from the accent colour; empty for the default',
  }),
  moneyFormats: Type.Record(Type.String(), MoneyFormat, {
    description: 'The formats of the currencies of prices and of charges, by their codes',
  }),
  hasAdmin: Type.Boolean({
    description: 'Whether the shop has an admin; without one, /first-run makes the first',
  }),
})
export type PublicSettings = Static<typeof PublicSettings>
