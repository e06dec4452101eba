/** E-mails about an account. */
import { href } from '#app/shared/model/href.ts'
import type { Facts } from '../facts.ts'
import { button, type Content, details, paragraph } from './parts.ts'
import { greetingOf } from './plain.ts'
import type { Sources } from './templates.ts'

const ABOUT_ACCOUNT = 'You get this e-mail because it concerns your account.'

const confirmation = (url: string) => [
  paragraph('Please confirm that this is your e-mail address. The link works for seven days.'),
  button('Confirm my address', url),
  paragraph(
    'If you are not signed in where you open it, the security answer of the account stops working for your safety, and every device is signed out. Your password stays; set a new answer in your profile.',
  ),
  paragraph('If you have not opened an account, ignore this e-mail.'),
]

export const welcome = (facts: Facts<'welcome'>, { shop: { name }, link }: Sources): Content => ({
  preview: 'Please confirm your e-mail address.',
  heading: `Welcome to ${name}`,
  greeting: greetingOf(facts.name),
  body: [paragraph(`Your account at ${name} is ready.`), ...confirmation(link)],
  reason: `You get this e-mail because an account was opened with this address at ${name}.`,
})

export const emailConfirmation = (
  facts: Facts<'email_confirmation'>,
  { link }: Sources,
): Content => ({
  preview: 'The link to confirm your e-mail address.',
  heading: 'Confirm your e-mail address',
  greeting: greetingOf(facts.name),
  body: confirmation(link),
  reason: 'You get this e-mail because it was requested in your profile.',
})

export const passwordChanged = (
  facts: Facts<'password_changed'>,
  { shop: { name, url } }: Sources,
): Content => ({
  preview: `The password of your account at ${name} was changed.`,
  heading: 'Your password was changed',
  greeting: greetingOf(facts.name),
  body: [
    paragraph(
      `The password of your account at ${name} was changed. Other devices were signed out.`,
    ),
    paragraph(
      `If this was not you, reset your password at once and contact us at ${url}${href('/contact')}: somebody else may have used your account.`,
    ),
    button('Reset my password', `${url}${href('/forgot-password')}`),
  ],
  reason: ABOUT_ACCOUNT,
})

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

export const passwordReset = (facts: Facts<'password_reset'>, { link }: Sources): Content => ({
  preview: 'You asked to reset your password.',
  heading: 'Reset your password',
  greeting: greetingOf(facts.name),
  body: facts.is_admin ? adminReset() : customerReset(link),
  reason:
    'You get this e-mail because somebody asked to reset the password of this account. If it was not you, ignore it: your password stays as it is.',
})

const dateTime = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

export const newSignIn = (
  facts: Facts<'new_sign_in'>,
  { shop: { name, url } }: Sources,
): Content => ({
  preview: `Somebody signed in to the back office of ${name}.`,
  heading: 'New sign-in to the back office',
  greeting: greetingOf(facts.name),
  body: [
    paragraph(
      `Your admin account at ${name} was used from a network or a browser that it has not been used from lately.`,
    ),
    details([
      ['Time', `${dateTime.format(new Date(facts.at))} UTC`],
      ['IP address', facts.address],
      ['Browser', facts.browser || 'unknown'],
    ]),
    paragraph('If this was you, there is nothing to do.'),
    paragraph(
      'If it was not, change your password in your profile, which signs out every other device. If the shop has other admins, tell them.',
    ),
    button('Open my profile', `${url}${href('/dashboard/user/profile')}`),
  ],
  reason: ABOUT_ACCOUNT,
})
