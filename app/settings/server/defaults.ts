import { isDeepStrictEqual } from 'node:util'
import type { Settings } from '../admin-contract.ts'
import { DEFAULT_ACCENT } from '../theme-model.ts'

const ABOUT = `A haat is an open-air market: people come from near and far, put out what they have made or grown, and go home with what others have. It is the oldest kind of shop there is.

Ours is open day and night. Everything on our shelves has been picked by somebody who would take it home, is described as it is, and costs what it says.

Look around, take your time, and ask us whatever you like.`

const POLICY_LINE = 'add privacy policy'

const slide = (picture: string, title: string, text: string) => ({ picture, title, text, link: '' })

const METHOD = {
  isOffered: false,
  instructions: '',
  countries: [],
  maxTotal: null,
  shippingRates: [],
  fee: 0,
  days: 14,
}

/** The slides, contact data and texts of the demo: those of the specification. */
export const DEMO_SETTINGS = {
  tagline: 'the open-air market',
  email: 'help@example.com',
  phone: '555-0100',
  tollFree: '1800-555-0199',
  slides: [
    slide('slide-1', 'For slower mornings', 'Tea, clay and good company.'),
    slide('slide-2', 'Turn the music up', 'Things to hear, see and play.'),
    slide('slide-3', 'Sleep under the stars', 'All you need, and not a thing more.'),
  ],
  about: ABOUT,
  contact: 'Any question about a product? Feel free to call anytime. We are available 24x7.',
  policy: Array.from({ length: 7 }, () => POLICY_LINE).join('\n\n'),
} satisfies Partial<Settings>

/** The settings that only the pages of slides and texts show, or only mails read. */
export const HIDDEN = {
  slides: [],
  about: '',
  contact: '',
  policy: '',
  imprint: '',
  terms: '',
  returns: '',
  delivery: '',
  country: '',
  mailsOrders: true,
  showsLowestPrice: false,
  paymentMethods: {
    pay_on_delivery: { ...METHOD, name: 'Pay on delivery' },
    bank_transfer: { ...METHOD, name: 'Bank transfer' },
  },
} satisfies Partial<Settings>

export const DISPLAYED: Omit<Settings, keyof typeof HIDDEN> = {
  name: 'Haat',
  tagline: '',
  logo: null,
  email: '',
  phone: '',
  tollFree: '',
  address: '',
  accent: DEFAULT_ACCENT,
  scheme: 'system',
  currencyDisplay: 'USD',
  locale: 'en-US',
  timeZone: 'UTC',
  lowStock: 5,
  priceBands: [0, 20, 40, 60, 80, 100],
}

/** The settings of a new shop. */
export const DEFAULTS: Settings = { ...DISPLAYED, ...HIDDEN }

/** Whether a setting is filled in, and not with what the demo shows. */
export function isOwn(settings: Settings, name: keyof typeof DEMO_SETTINGS): boolean {
  const value = settings[name]
  return value.length > 0 && !isDeepStrictEqual(value, DEMO_SETTINGS[name])
}
