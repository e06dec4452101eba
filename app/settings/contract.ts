/** The merchant's settings, as pages and other clients read them. */
import { type Static, Type } from 'typebox'
import { API_PREFIX, type Contract, cachedEndpoint } from '../shared/contract/endpoint.ts'
import { Nullable, Text } from '../shared/contract/fields.ts'

/** The cache tag of every answer that depends on the settings. */
export const SETTINGS_TAG = 'settings'

/** The themes of the pages: the visitor's system decides, always light, or always dark. */
export const SCHEMES = ['system', 'light', 'dark'] as const

/** The pages whose text is a setting. */
export const TEXT_PAGES = ['about', 'contact', 'policy'] as const
export type TextPage = (typeof TEXT_PAGES)[number]

/** The stored widths of an uploaded picture, in pixels. */
export const PICTURE_WIDTHS = [400, 800, 1600] as const

/** The URL of an uploaded picture. It never changes under its id. */
export const pictureUrl = (id: string, width: (typeof PICTURE_WIDTHS)[number]) =>
  `${API_PREFIX}/settings/picture/${id}?w=${width}`

const PictureId = Type.String({ pattern: '^[A-Za-z0-9_-]{12}$' })

/** An uploaded picture, with its size in pixels. */
export const Picture = Type.Object({
  id: PictureId,
  width: Type.Integer(),
  height: Type.Integer(),
})
export type Picture = Static<typeof Picture>

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

/** A bound of a request: admins are told the limits of `problemsOf`. */
export const Line = Text({ maxLength: 2000 })

/** The settings that pages read as they are stored. */
export const DISPLAYED = {
  name: Line,
  tagline: Line,
  email: Type.String({ ...Line, description: 'Contact data; empty where there is none' }),
  phone: Line,
  tollFree: Line,
  address: Line,
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
  lowStock: Type.Number({ description: 'The quantity up to which a product is running low' }),
  priceBands: Type.Array(Type.Number(), {
    maxItems: 100,
    description: 'The lowest price of each band of the filter, in major units',
  }),
}

export const PublicSettings = Type.Object({
  ...DISPLAYED,
  logo: Nullable(Picture),
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

/** The settings that pages, documents and mails show: all but slides and texts. */
export type DisplayedSettings = Omit<PublicSettings, 'moneyFormats' | 'hasAdmin'>

export const Slide = Type.Object({
  picture: Text({
    maxLength: 20,
    description: 'The id of an uploaded picture, or slide-1, slide-2 or slide-3',
  }),
  title: Line,
  text: Line,
  link: Type.String({ ...Line, description: 'A path or a URL; empty for none' }),
})
export type Slide = Static<typeof Slide>

/** A part of a text: characters, or an element with its parts. */
export type TextNode = string | { tag: string; href?: string; start?: number; children: TextNode[] }

/** Validated where it is made; a schema would be recursive. */
export const TextNodes = Type.Unsafe<TextNode[]>({ type: 'array', items: {} })

const cached = () => [SETTINGS_TAG]

export const settingsCalls = {
  getSettings: cachedEndpoint(cached, {
    method: 'GET',
    path: '/settings',
    access: 'public',
    summary: 'The name, contact data, theme and display settings of the shop',
    answer: PublicSettings,
  }),
  getSlides: cachedEndpoint(cached, {
    method: 'GET',
    path: '/settings/slides',
    access: 'public',
    summary: 'The slides of the home page, in order',
    answer: Type.Array(Slide),
  }),
  getText: cachedEndpoint(cached, {
    method: 'GET',
    path: '/settings/texts/:page',
    access: 'public',
    summary: 'The text of an information page, as a tree of elements',
    params: Type.Object({ page: Type.Enum([...TEXT_PAGES]) }),
    answer: Type.Object({
      nodes: TextNodes,
      summary: Type.String({ description: 'The beginning of the text, without markup' }),
    }),
  }),
  getPicture: cachedEndpoint(cached, {
    method: 'GET',
    path: '/settings/picture/:id',
    access: 'public',
    summary: 'An uploaded picture as AVIF, WebP or JPEG',
    params: Type.Object({ id: Text({ maxLength: 200 }) }),
    query: Type.Object({ w: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })) }),
    answer: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }),
  }),
} satisfies Contract
