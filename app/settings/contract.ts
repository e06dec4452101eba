/** The merchant's settings, as pages and other clients read them. */
import { type Static, Type } from 'typebox'
import { API_PREFIX, type Contract, cachedEndpoint } from '../shared/contract/endpoint.ts'
import { Text } from '../shared/contract/fields.ts'
import { LEGAL_PAGES, Line, PublicSettings } from '../shared/contract/public-settings.ts'

/** The cache tag of every answer that depends on the settings. */
export const SETTINGS_TAG = 'settings'

/** The pages whose text is a setting. */
export const TEXT_PAGES = ['about', 'contact', 'policy', ...LEGAL_PAGES] as const
export type TextPage = (typeof TEXT_PAGES)[number]

/** The stored widths of an uploaded picture, in pixels. */
export const PICTURE_WIDTHS = [400, 800, 1600] as const

/** The URL of an uploaded picture. It never changes under its id. */
export const pictureUrl = (id: string, width: (typeof PICTURE_WIDTHS)[number]) =>
  `${API_PREFIX}/settings/picture/${id}?w=${width}`

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
