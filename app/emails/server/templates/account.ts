/** E-mails about an account. */
import { href } from '#app/shared/model/href.ts'
import type { GuardedSetting } from '../facts.ts'
import type { MailingShop } from '../settings.ts'
import { button, details, paragraph } from './parts.ts'
import type { Templates } from './templates.ts'

const CONNECTION_NAMES: Record<GuardedSetting, string> = {
  payments: 'Payment provider',
  email: 'SMTP server',
  address: 'Public address',
  payment_methods: 'How customers pay',
}

const IN_SENTENCE: Record<GuardedSetting, string> = {
  payments: 'The connection to the payment provider',
  email: 'The SMTP server',
  address: 'The public address',
  payment_methods:
    'How customers pay on delivery or by bank transfer, or what they are told about it,',
}

const DECIDES: Record<GuardedSetting, string> = {
  payments: 'It decides where the money of customers goes.',
  email: 'Every e-mail of the shop goes through it.',
  address: 'Links in e-mails lead there.',
  payment_methods: 'It decides where the money of customers goes.',
}

const ABOUT_ACCOUNT = 'You get this e-mail because it concerns your account.'

const confirmation = (url: string) => [
  paragraph('Please confirm that this is your e-mail address. The link works for seven days.'),
  button('Confirm my address', url),
  paragraph(
    'Open it on a device on which you are signed in. Anywhere else, all devices are signed out and the security answer no longer works, to keep your account safe. Your password stays; set a new answer in your profile.',
  ),
  paragraph('If you have not opened an account, ignore this e-mail.'),
]

/** The password of an admin is reset by the shop's owner only, as with the security answer. */
const adminReset = () => [
  paragraph(
    'A link cannot reset the password of an admin. Ask the owner of the shop, who sets a new one with the command npm run shop -- admin reset-password.',
  ),
]

const customerReset = (url: string) => [
  paragraph('With this link you set a new password. It works once, and for an hour.'),
  button('Set a new password', url),
]

/** A time as the shop's locale writes it, with the name of its time zone. */
const timeText = (at: string, { locale, timeZone }: MailingShop): string =>
  new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(new Date(at))

export const accountTemplates = {
  welcome: (_facts, { name }) => ({
    subject: `Welcome to ${name}: please confirm your address`,
    preview: 'Please confirm your e-mail address.',
    heading: `Welcome to ${name}`,
    body: ({ link }) => [paragraph(`Your account at ${name} is ready.`), ...confirmation(link)],
    reason: `You get this e-mail because an account was opened with this address at ${name}.`,
  }),
  email_confirmation: (_facts, { name }) => ({
    subject: `Confirm your e-mail address for ${name}`,
    preview: 'The link to confirm your e-mail address.',
    heading: 'Confirm your e-mail address',
    body: ({ link }) => confirmation(link),
    reason: 'You get this e-mail because it was requested in your profile.',
  }),
  password_changed: (_facts, { name, url }) => ({
    subject: `Your password at ${name} was changed`,
    preview: `The password of your account at ${name} was changed.`,
    heading: 'Your password was changed',
    body: () => [
      paragraph(
        `The password of your account at ${name} was changed. Other devices were signed out.`,
      ),
      paragraph(
        `If this was not you, reset your password at once and contact us at ${url}${href('/contact')}: somebody else may have used your account.`,
      ),
      button('Reset my password', `${url}${href('/forgot-password')}`),
    ],
    reason: ABOUT_ACCOUNT,
  }),
  password_reset: ({ is_admin }, { name }) => ({
    subject: `Reset your password at ${name}`,
    preview: 'You asked to reset your password.',
    heading: 'Reset your password',
    body: ({ link }) => (is_admin ? adminReset() : customerReset(link)),
    reason:
      'You get this e-mail because somebody asked to reset the password of this account. If it was not you, ignore it: your password stays as it is.',
  }),
  new_sign_in: ({ at, address, browser }, shop) => ({
    subject: `New sign-in to the back office of ${shop.name}`,
    preview: `Somebody signed in to the back office of ${shop.name}.`,
    heading: 'New sign-in to the back office',
    body: () => [
      paragraph(
        `Your admin account at ${shop.name} was used from a network or a browser that it has not been used from lately.`,
      ),
      details([
        ['Time', timeText(at, shop)],
        ['IP address', address],
        ['Browser', browser || 'unknown'],
      ]),
      paragraph('If this was you, there is nothing to do.'),
      paragraph(
        'If it was not, change your password in your profile, which signs out every other device. If the shop has other admins, tell them.',
      ),
      button('Open my profile', `${shop.url}${href('/dashboard/user/profile')}`),
    ],
    reason: ABOUT_ACCOUNT,
  }),
  settings_changed: ({ connection, by, at }, shop) => ({
    subject: `${CONNECTION_NAMES[connection]} of ${shop.name} changed`,
    preview: `An admin changed a setting that decides where money or e-mails go.`,
    heading: `${CONNECTION_NAMES[connection]} changed`,
    body: () => [
      paragraph(
        `${IN_SENTENCE[connection]} was changed in the back office of ${shop.name}. ${DECIDES[connection]}`,
      ),
      details([
        ['Time', timeText(at, shop)],
        ['Changed by', by],
      ]),
      paragraph('If you know of this change, there is nothing to do.'),
      paragraph(
        'If you do not, somebody else may use an admin account: sign out every device of it, set a new password, and enter the settings again.',
      ),
      button('Open the settings', `${shop.url}${href('/dashboard/admin/settings')}`),
    ],
    reason: 'You get this e-mail because you are an admin of the shop.',
  }),
} satisfies Partial<Templates>
