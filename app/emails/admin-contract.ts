/** The back office's list of e-mails: what was sent, to whom, and what was not delivered. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import {
  Done,
  GivenDay,
  Id,
  Nullable,
  Page,
  SearchText,
  Timestamp,
} from '../shared/contract/fields.ts'

export const EMAIL_KINDS = [
  'welcome',
  'email_confirmation',
  'order_confirmation',
  'status_changed',
  'refund',
  'password_changed',
  'password_reset',
  'new_sign_in',
  'new_order',
  'payment_reminder',
  'payment_received',
  'settings_changed',
] as const
export type EmailKind = (typeof EMAIL_KINDS)[number]

/**
 * `parked`: was queued in a backup that was restored, and may have been sent since; `kept`: written to a file, because the shop has no SMTP server; `bounced`: the server refused the
 * recipient or the message permanently; `failed`: no server accepted it in time.
 */
export const EMAIL_STATES = ['queued', 'parked', 'bounced', 'failed', 'kept', 'sent'] as const
export type EmailState = (typeof EMAIL_STATES)[number]

/** What the list can be narrowed to: a state, or those of e-mails that did not reach their recipient. */
export const EMAIL_VIEWS = [...EMAIL_STATES, 'undelivered'] as const
export type EmailView = (typeof EMAIL_VIEWS)[number]

/** The states of e-mails that did not reach their recipient, and are not tried again. */
export const UNDELIVERED_STATES: readonly EmailState[] = ['bounced', 'failed']

/** The states in which an admin may queue an e-mail again. */
export const RETRYABLE_STATES: readonly EmailState[] = ['parked', 'bounced', 'failed', 'kept']

export const ListedEmail = Type.Object({
  _id: Id,
  kind: Type.Enum([...EMAIL_KINDS]),
  state: Type.Enum([...EMAIL_STATES]),
  recipient: Type.String(),
  subject: Type.String(),
  createdAt: Timestamp,
  sentAt: Nullable(Timestamp),
  attempts: Type.Integer({ description: 'How often the SMTP server was tried' }),
  nextAt: Nullable({ ...Timestamp, description: 'The next attempt, while it is queued' }),
  lastError: Nullable(Type.String({ description: 'Why the last attempt failed' })),
})
export type ListedEmail = Static<typeof ListedEmail>

/** The contents of an e-mail. Links with a secret are shown without it. */
export const EmailContents = Type.Object({
  ...ListedEmail.properties,
  text: Type.String(),
  html: Type.String(),
  hidesLink: Type.Boolean({ description: 'Whether it has a link whose secret is not shown' }),
})
export type EmailContents = Static<typeof EmailContents>

/** Warnings that are shown at once. */
const MAX_WARNINGS = 20

/** A changed setting that decides where money or e-mails go. */
export const Warning = Type.Object({
  _id: Id,
  subject: Type.String(),
  by: Type.String({ description: 'The name of the admin who changed it' }),
  at: Timestamp,
})
export type Warning = Static<typeof Warning>

const ById = Type.Object({ id: Id })

export const emailAdminCalls = {
  getEmails: endpoint({
    method: 'GET',
    path: '/email/emails',
    access: 'admin',
    summary: 'A page of fifty e-mails, newest first; the total is in X-Total-Count',
    query: Type.Object({
      page: Type.Optional(Page),
      state: Type.Optional(
        Type.Enum([...EMAIL_VIEWS], { description: 'undelivered: bounced or failed' }),
      ),
      q: SearchText("Part of the recipient's name or e-mail"),
      from: Type.Optional(GivenDay),
      to: Type.Optional(GivenDay),
    }),
    answer: Type.Array(ListedEmail),
  }),
  getEmail: endpoint({
    method: 'GET',
    path: '/email/email/:id',
    access: 'admin',
    summary: 'An e-mail as text and HTML; links with a secret are shown without it',
    params: ById,
    answer: EmailContents,
  }),
  retryEmail: endpoint({
    method: 'POST',
    path: '/email/retry/:id',
    access: 'admin',
    summary: 'Queues an e-mail again that was parked, kept, bounced or failed',
    params: ById,
    answer: Done,
  }),
  sendParked: endpoint({
    method: 'POST',
    path: '/email/send-parked',
    access: 'admin',
    summary: 'Queues all parked e-mails; the message says how many',
    answer: Done,
  }),
  dropParked: endpoint({
    method: 'DELETE',
    path: '/email/drop-parked',
    access: 'admin',
    summary: 'Deletes all parked e-mails; the message says how many',
    answer: Done,
  }),
  getWarnings: endpoint({
    method: 'GET',
    path: '/email/warnings',
    access: 'admin',
    owner: 'caller',
    summary: 'The warnings for the caller that no SMTP server has accepted, until they are read',
    answer: Type.Array(Warning, { maxItems: MAX_WARNINGS }),
  }),
  readWarnings: endpoint({
    method: 'POST',
    path: '/email/read-warnings',
    access: 'admin',
    owner: 'caller',
    summary: 'Marks warnings for the caller as read',
    body: Type.Object({ ids: Type.Array(Id, { maxItems: MAX_WARNINGS }) }),
    answer: Done,
  }),
} satisfies Contract
