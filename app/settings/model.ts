/** The rules of the settings: the same in the form and on the server. */
import type { FieldProblem } from '../shared/contract/failure.ts'
import { EMAIL_ADDRESS } from '../shared/contract/fields.ts'
import { LEGAL_PAGES } from '../shared/contract/public-settings.ts'
import { decimalsOf, MAX_PRICE_MINOR, toMajor } from '../shared/model/minor-units.ts'
import { isCountry } from '../shipping/model.ts'
import type { Settings, SettingsFile } from './admin-contract.ts'
import { paymentMethodProblems } from './payment-method-model.ts'
import { type Found, isFilled, markdownProblem, tooLong } from './text-model.ts'
import { contrastOfAccent, MIN_CONTRAST } from './theme-model.ts'

/** The longest texts, in characters. */
export const MAX_LENGTH = {
  name: 100,
  tagline: 200,
  email: 200,
  phone: 50,
  tollFree: 50,
  address: 500,
  title: 100,
  text: 200,
  link: 500,
} as const

export const MAX_SLIDES = 10
export const MAX_BANDS = 10
/** The highest quantity of a product. */
const MAX_QUANTITY = 1_000_000

const EMAIL_TEST = new RegExp(`^${EMAIL_ADDRESS}$`, 'u')

const emailProblem = (email: string) =>
  email === '' || EMAIL_TEST.test(email)
    ? null
    : 'Enter an e-mail address, such as help@example.com.'

const phoneProblem = (phone: string) =>
  phone === '' || /^[+(]?[\d][\d\s().\-/]*$/.test(phone)
    ? null
    : 'Enter a phone number of digits, such as +1 555 0100.'

/** Why the accent colour is refused; null when it is not. */
export function accentProblem(accent: string): string | null {
  if (!/^#[0-9a-f]{6}$/i.test(accent)) return 'Enter a colour, such as #b4441f.'
  const contrast = contrastOfAccent(accent)
  if (contrast >= MIN_CONTRAST) return null
  // rounded down, so that a refused colour is never said to have enough
  const shown = (Math.floor(contrast * 10) / 10).toFixed(1)
  return `This colour has a contrast of ${shown} : 1 to the background of the pages; text needs at least ${MIN_CONTRAST} : 1. Choose a darker one.`
}

/** A path of the shop, or a URL of the web. Browsers drop tabs and line ends of a link. */
export const isLink = (link: string) =>
  /^\/($|[^/\\\s])/.test(link) || (/^https?:\/\//.test(link) && URL.canParse(link))

const linkProblem = (link: string) =>
  link === '' || isLink(link)
    ? null
    : 'Enter a path such as /search?q=tea, or a URL that starts with https://.'

/** Why the name of the shop is refused; null when it is not. */
export const nameProblem = (name: string) =>
  isFilled(name) ? tooLong(name, MAX_LENGTH.name) : 'Enter the name of the shop.'

/** The most decimals of a currency of prices; two units of account have four. */
const MAX_DECIMALS = 3

/** Whether the shop can have prices in a currency. */
export const isPriceable = (currency: string): boolean =>
  Intl.supportedValuesOf('currency').includes(currency) && decimalsOf(currency) <= MAX_DECIMALS

const currencyProblem = (currency: string) =>
  isPriceable(currency) ? null : 'Enter a code of ISO 4217, such as USD.'

function localeProblem(locale: string): string | null {
  try {
    const isPlain = /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i.test(locale)
    if (isPlain && Intl.NumberFormat.supportedLocalesOf(locale)[0] === locale) return null
  } catch {
    // not a language tag
  }
  return 'Enter a language tag, such as en-US or de-DE.'
}

const countryProblem = (country: string) =>
  country === '' || isCountry(country) ? null : 'Choose a country.'

/** Names of the IANA database; not offsets such as +05:30, which databases read in two ways. */
function timeZoneProblem(timeZone: string): string | null {
  try {
    const isNamed = /^[A-Za-z][\w+/-]*$/.test(timeZone)
    if (isNamed && new Intl.DateTimeFormat('en', { timeZone })) return null
  } catch {
    // not a time zone
  }
  return 'Choose a time zone, such as Europe/Berlin.'
}

function bandsProblem(bands: number[], currency: string): string | null {
  const below = toMajor(MAX_PRICE_MINOR, currency)
  if (bands.length < 2 || bands.length > MAX_BANDS) return `Enter 2 to ${MAX_BANDS} prices.`
  if (bands.some((low) => !Number.isInteger(low) || low < 0 || low >= below))
    return `Enter whole prices below ${below.toLocaleString('en-US')}.`
  if (bands[0] !== 0) return 'The first price must be 0.'
  return bands.some((low, at) => low <= (bands[at - 1] ?? -1))
    ? 'Each price must be higher than the one before.'
    : null
}

const lowStockProblem = (quantity: number) =>
  Number.isInteger(quantity) && quantity >= 0 && quantity <= MAX_QUANTITY
    ? null
    : 'Enter a whole number from 0.'

export const slidesProblem = ({ length }: unknown[]) =>
  length > MAX_SLIDES ? `At most ${MAX_SLIDES} slides are allowed.` : null

const slideProblems = ({ slides }: Settings): Found[] =>
  slides.flatMap(({ picture, title, text, link }, at): Found[] => [
    [`slides.${at}.picture`, picture === '' ? 'Choose a picture.' : null],
    [
      `slides.${at}.title`,
      isFilled(title) ? tooLong(title, MAX_LENGTH.title) : 'Enter a title for this slide.',
    ],
    [`slides.${at}.text`, tooLong(text, MAX_LENGTH.text)],
    [`slides.${at}.link`, tooLong(link, MAX_LENGTH.link) ?? linkProblem(link)],
  ])

/** Every problem of the settings, in the order of the form. */
export function problemsOf(settings: Settings): FieldProblem[] {
  const { name, email, phone, tollFree, slides } = settings
  const found: Found[] = [
    ['name', nameProblem(name)],
    ['tagline', tooLong(settings.tagline, MAX_LENGTH.tagline)],
    ['email', tooLong(email, MAX_LENGTH.email) ?? emailProblem(email)],
    ['phone', tooLong(phone, MAX_LENGTH.phone) ?? phoneProblem(phone)],
    ['tollFree', tooLong(tollFree, MAX_LENGTH.tollFree) ?? phoneProblem(tollFree)],
    ['address', tooLong(settings.address, MAX_LENGTH.address)],
    ['accent', accentProblem(settings.accent)],
    ['slides', slidesProblem(slides)],
    ...slideProblems(settings),
    ['about', markdownProblem(settings.about)],
    ['contact', markdownProblem(settings.contact)],
    ['policy', markdownProblem(settings.policy)],
    ...LEGAL_PAGES.map((page): Found => [page, markdownProblem(settings[page])]),
    ['country', countryProblem(settings.country)],
    ['currencyDisplay', currencyProblem(settings.currencyDisplay)],
    ['locale', localeProblem(settings.locale)],
    ['timeZone', timeZoneProblem(settings.timeZone)],
    ['lowStock', lowStockProblem(settings.lowStock)],
    ['priceBands', bandsProblem(settings.priceBands, settings.currencyDisplay)],
    ...paymentMethodProblems(settings.paymentMethods, settings.currencyDisplay),
  ]
  return found.flatMap(([field, message]) => (message === null ? [] : [{ field, message }]))
}

/** The settings of a file. `storedId` stores a picture of it, unless the shop has it, and returns its id here. */
export async function settingsIn(
  { settings, pictures }: SettingsFile,
  storedId: (picture: SettingsFile['pictures'][number]) => Promise<string>,
): Promise<Settings> {
  const ids = new Map<string, string>()
  for (const picture of pictures) ids.set(picture.id, await storedId(picture))
  const present = (id: string) => ids.get(id) ?? id
  return {
    ...settings,
    logo: settings.logo === null ? null : present(settings.logo),
    slides: settings.slides.map((slide) => ({ ...slide, picture: present(slide.picture) })),
  }
}
