/** The fields of each connection, and the settings of the environment that they become. */
import { PROVIDERS } from '#app/payments/server/providers/list.ts'
import type { ConnectionName } from '#app/settings/connection-contract.ts'
import { type Found, tooLong } from '#app/settings/text-model.ts'
import { trimCode } from '#app/shared/model/visible-text.ts'
import type { Values } from '#app/shared/server/stored-settings/stored-settings.ts'

type Field = {
  name: string
  label: string
  hint?: string
  isRequired?: true
  /** Of a secret: the fields to which it belongs. When one of them changes, it is entered again. */
  secretOf?: string[]
}

type Definition = {
  /** Without a value of the first one, there is no connection. */
  fields: Field[]
  /** The values of the fields. */
  read: (settings: Values) => Values
  /** The settings of these values, which are complete. */
  write: (values: Values) => Values
  /** The problems of values that were sent, by field. */
  problemsOf: (values: Values) => Found[]
}

const DEFAULT_PORT = '587'
/** The port of SMTP whose connections begin with TLS. */
const TLS_PORT = '465'
const MAX_LENGTH = 500

const providerFields = (): Field[] =>
  PROVIDERS.filter(({ isTest, isByHand }) => !isTest && !isByHand).flatMap(
    ({ keys = [], webhookSetting }) => {
      const ids = keys.flatMap(({ name, isSecret }) => (isSecret ? [] : [name]))
      return keys.map(({ name, label, hint, isSecret }): Field => {
        const isOfWebhook = name === webhookSetting
        return {
          name,
          label,
          ...(hint !== undefined && { hint }),
          ...(!isOfWebhook && { isRequired: true }),
          ...(isSecret && { secretOf: isOfWebhook ? [] : ids }),
        }
      })
    },
  )

const payments: Definition = {
  fields: providerFields(),
  read: (settings) => settings,
  write: (values) => values,
  problemsOf: () => [],
}

/** A part of an address; one that is not encoded, such as `100%`, is as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function readEmail({ SMTP_URL: text, MAIL_FROM: sender }: Values): Values {
  const url = text === undefined ? null : URL.parse(text)
  if (!url) return { sender }
  const port = url.port || (url.protocol === 'smtps:' ? TLS_PORT : DEFAULT_PORT)
  const { hostname: host, username, password } = url
  return {
    host,
    port,
    user: decoded(username),
    password: decoded(password),
    sender,
  }
}

function writeEmail({
  host = '',
  port = '',
  user = '',
  password = '',
  sender = '',
}: Values): Values {
  const credentials =
    user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`
  const scheme = port === TLS_PORT ? 'smtps' : 'smtp'
  return {
    SMTP_URL: `${scheme}://${credentials}${host}:${port || DEFAULT_PORT}`,
    MAIL_FROM: sender,
  }
}

const HOST = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/i
const SENDER = /^([^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/

const isPort = (port: string) => /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536

const email: Definition = {
  fields: [
    {
      name: 'host',
      label: 'SMTP server',
      hint: 'Such as smtp.example.com. Empty: e-mails reach nobody, and are only in the Outbox.',
      isRequired: true,
    },
    { name: 'port', label: 'Port', hint: '465 for TLS, else mostly 587.' },
    { name: 'user', label: 'User name' },
    { name: 'password', label: 'Password', secretOf: ['host', 'port', 'user'] },
    {
      name: 'sender',
      label: 'Sender',
      hint: 'Such as My Shop <shop@example.com>.',
      isRequired: true,
    },
  ],
  read: readEmail,
  write: writeEmail,
  problemsOf: ({ host = '', port = '', user = '', password = '', sender = '' }) => [
    ['host', HOST.test(host) ? null : 'Enter the name of a server, such as smtp.example.com.'],
    ['port', port === '' || isPort(port) ? null : 'Enter a port, such as 587.'],
    [
      'password',
      user !== '' && password === '' ? 'Enter the password of this user at this server.' : null,
    ],
    ['sender', SENDER.test(sender) ? null : 'Enter an e-mail address, such as shop@example.com.'],
  ],
}

const isOrigin = (text: string) =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? '') && new URL(text).origin === text

const address: Definition = {
  fields: [
    {
      name: 'address',
      label: 'Public address',
      hint: 'Such as https://shop.example.com: links in e-mails and search engines lead there.',
      isRequired: true,
    },
  ],
  read: ({ SHOP_URL }) => ({ address: SHOP_URL }),
  write: ({ address: text = '' }) => ({ SHOP_URL: text }),
  problemsOf: ({ address: text = '' }) => [
    [
      'address',
      isOrigin(text) ? null : 'Enter an address without a path, such as https://shop.example.com.',
    ],
  ],
}

export const DEFINITIONS: Record<ConnectionName, Definition> = { payments, email, address }

/** The values as they are stored: without spaces around them, and an address without its last slash. */
export function cleaned({ fields }: Definition, sent: Values): Values {
  const values = fields.map(({ name }) => [name, trimCode(sent[name] ?? '')])
  const { address: text, ...others }: Values = Object.fromEntries(values)
  return text === undefined ? others : { ...others, address: text.replace(/\/+$/, '') }
}

/** A secret that was left empty stays, unless what it belongs to has changed. */
export function completed({ fields }: Definition, sent: Values, former: Values): Values {
  const isSame = (name: string) => (sent[name] ?? '') === (former[name] ?? '')
  const kept = fields
    .filter(({ name, secretOf }) => secretOf?.every(isSame) && sent[name] === '')
    .map(({ name }) => [name, former[name] ?? ''])
  return { ...sent, ...Object.fromEntries(kept) }
}

const isRequired = ({ fields }: Definition, wanted: string) =>
  fields.some(({ name, isRequired }) => name === wanted && isRequired)

/** The problems of complete values, by field. */
export const problemsOf = (definition: Definition, values: Values): Found[] => [
  ...definition.fields.map(({ name, label, isRequired }): Found => {
    const value = values[name] ?? ''
    return [
      name,
      value === '' && isRequired ? `Enter the ${label.toLowerCase()}.` : tooLong(value, MAX_LENGTH),
    ]
  }),
  ...definition
    .problemsOf(values)
    .filter(([name]) => values[name] !== '' || !isRequired(definition, name)),
]
