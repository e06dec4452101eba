/** E-mails about an account. */
import type { Facts } from '../facts.ts'
import type { MailingShop } from '../settings.ts'
import { type Block, type Content, paragraph } from './content.ts'
import { greetingOf } from './plain.ts'

const ABOUT_ACCOUNT = 'You get this e-mail because it concerns your account.'

const confirmation = (url: string): Block[] => [
  paragraph('Please confirm that this is your e-mail address. The link works for seven days.'),
  { type: 'button', label: 'Confirm my address', url },
  paragraph(
    'If you are not signed in where you open it, the security answer of the account stops working for your safety, and every device is signed out. Your password stays; set a new answer in your profile.',
  ),
  paragraph('If you have not opened an account, ignore this e-mail.'),
]

export const welcome = (facts: Facts<'welcome'>, { name }: MailingShop, link: string): Content => ({
  preview: 'Please confirm your e-mail address.',
  heading: `Welcome to ${name}`,
  greeting: greetingOf(facts.name),
  blocks: [paragraph(`Your account at ${name} is ready.`), ...confirmation(link)],
  reason: `You get this e-mail because an account was opened with this address at ${name}.`,
})

export const emailConfirmation = (facts: Facts<'email_confirmation'>, link: string): Content => ({
  preview: 'The link to confirm your e-mail address.',
  heading: 'Confirm your e-mail address',
  greeting: greetingOf(facts.name),
  blocks: confirmation(link),
  reason: 'You get this e-mail because it was requested in your profile.',
})

const ifNotYou = (url: string) =>
  `If this was not you, reset your password at once and contact us at ${url}/contact: somebody else may have used your account.`

export const passwordChanged = (
  facts: Facts<'password_changed'>,
  { name, url }: MailingShop,
): Content => ({
  preview: `The password of your account at ${name} was changed.`,
  heading: 'Your password was changed',
  greeting: greetingOf(facts.name),
  blocks: [
    paragraph(
      `The password of your account at ${name} was changed. Other devices were signed out.`,
    ),
    paragraph(ifNotYou(url)),
    { type: 'button', label: 'Reset my password', url: `${url}/forgot-password` },
  ],
  reason: ABOUT_ACCOUNT,
})

const RESET_REASON =
  'You get this e-mail because somebody asked to reset the password of this account. If it was not you, ignore it: your password stays as it is.'

/** The password of an admin is reset by the shop's owner only, as with the security answer. */
const adminReset = (): Block[] => [
  paragraph(
    'A link cannot reset the password of an admin. Ask the owner of the shop, who sets a new one with the command npm run shop -- admin reset-password.',
  ),
]

const customerReset = (url: string): Block[] => [
  paragraph('With this link you set a new password. It works once, and for an hour.'),
  { type: 'button', label: 'Set a new password', url },
]

export const passwordReset = (facts: Facts<'password_reset'>, link: string): Content => ({
  preview: 'You asked to reset your password.',
  heading: 'Reset your password',
  greeting: greetingOf(facts.name),
  blocks: facts.is_admin ? adminReset() : customerReset(link),
  reason: RESET_REASON,
})

const dateTime = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

export const newSignIn = (facts: Facts<'new_sign_in'>, { name, url }: MailingShop): Content => ({
  preview: `Somebody signed in to the back office of ${name}.`,
  heading: 'New sign-in to the back office',
  greeting: greetingOf(facts.name),
  blocks: [
    paragraph(
      `Your admin account at ${name} was used from a network or a browser that it has not been used from lately.`,
    ),
    {
      type: 'details',
      rows: [
        ['Time', `${dateTime.format(new Date(facts.at))} UTC`],
        ['IP address', facts.address],
        ['Browser', facts.browser || 'unknown'],
      ],
    },
    paragraph('If this was you, there is nothing to do.'),
    paragraph(
      'If it was not, change your password in your profile, which signs out every other device. If the shop has other admins, tell them.',
    ),
    { type: 'button', label: 'Open my profile', url: `${url}/dashboard/user/profile` },
  ],
  reason: ABOUT_ACCOUNT,
})
