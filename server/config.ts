import { isIP } from 'node:net'
import { Ajv, type ErrorObject } from 'ajv'
import type { Static } from 'typebox'
import { providerRules, takesMoney } from '#app/payments/server/providers/list.ts'
import { isPriceable, MAX_LENGTH, nameProblem } from '#app/settings/model.ts'
import { pathOf, validationMessage } from '#app/shared/server/input/validation-message.ts'
import { MIN_SECRET_LENGTH } from '#app/shared/server/stored-settings/encryption.ts'
import { ConfigSchema } from './config-schema.ts'

export type Config = Static<typeof ConfigSchema> & {
  /** Whether the environment sets CURRENCY_CHARGE, so that no stored currency takes its place. */
  isCurrencySet: boolean
}

type Setting = { name: string; description?: string; default?: unknown }
const settings = Object.entries(ConfigSchema.properties).map(
  ([name, schema]): Setting => ({ name, ...schema }),
)

/** The text of `.env.example`: each setting with its description and its default. */
export const environmentExample = () =>
  [
    '# Every setting of the shop. Copy this file to .env and change what you need.',
    '# Generated from server/config-schema.ts by `npm run env-example`.',
    '',
    ...settings.map(
      ({ name, description, default: value = '' }) => `# ${description}\n# ${name}=${value}\n`,
    ),
  ].join('\n')

/** The sentence about a wrong value, with its description. */
function sentence(problem: ErrorObject, env: NodeJS.ProcessEnv) {
  const name = pathOf(problem)
  const expected = validationMessage(problem).slice(name.length)
  const meaning = settings.find((setting) => setting.name === name)?.description
  return `${name} is set to "${env[name]}", but it${expected} It means: ${meaning}`
}

/** The items of a setting that is a list, separated by commas. */
export const listed = (setting = '') =>
  setting
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text

/** The shortest and the longest prefix of a range of proxies; a shorter one is half the Internet. */
const PREFIXES: Record<number, [min: number, max: number]> = { 4: [8, 32], 6: [7, 128] }

const isRange = ([address = '', bits, ...more]: string[]) => {
  const [min, max] = PREFIXES[isIP(address)] ?? [1, 0]
  if (more.length > 0 || min > max) return false
  return bits === undefined || (/^\d+$/.test(bits) && +bits >= min && +bits <= max)
}

/** An address, a CIDR range such as 10.0.0.0/8, or a named range. */
const isProxy = (text: string) =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(text) || isRange(text.split('/'))

/** An address, or a name with an address in angle brackets, on one line. */
const isSender = (text: string) =>
  /^([^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(text)

const isSmtp = (text: string) => /^smtps?:\/\/./.test(text) && URL.parse(text)?.hostname

/** Rules beside the schema, by the sentence about a setting that breaks one. */
const RULES: Record<string, (config: Config) => unknown> = {
  'DATABASE_URL must start with postgres:// or postgresql://.': (c) =>
    c.DATABASE_URL && !/^postgres(ql)?:\/\/./.test(c.DATABASE_URL),
  // without a host it leads to a Unix socket
  'DATABASE_URL is no address. Special characters of user and password are percent-encoded: # is %23, @ is %40, / is %2F.':
    (c) => c.DATABASE_URL && !URL.canParse(c.DATABASE_URL) && !/@\//.test(c.DATABASE_URL),
  'WORKERS must be 1 with the embedded database, which only one process can open; set DATABASE_URL to a PostgreSQL server for more.':
    (c) => !c.DATABASE_URL && (c.WORKERS ?? 1) > 1,
  'REDIS_URL must start with redis:// or rediss://.': (c) =>
    c.REDIS_URL && !/^rediss?:\/\/./.test(c.REDIS_URL),
  'OTEL_EXPORTER_OTLP_ENDPOINT must start with http:// or https://.': (c) =>
    c.OTEL_EXPORTER_OTLP_ENDPOINT && !/^https?:\/\/./.test(c.OTEL_EXPORTER_OTLP_ENDPOINT),
  'CORS_ORIGINS must list origins such as https://shop.example.com, without a path, separated by commas.':
    (c) => !listed(c.CORS_ORIGINS).every((origin) => origin === '*' || isOrigin(origin)),
  [`SHOP_NAME must have 1 to ${MAX_LENGTH.name} characters, and not only spaces.`]: (c) =>
    nameProblem(c.SHOP_NAME) !== null,
  'SHOP_URL must be an origin such as https://shop.example.com, without a path.': (c) =>
    c.SHOP_URL && !(isOrigin(c.SHOP_URL) && /^https?:/.test(c.SHOP_URL)),
  'SMTP_URL must be an address such as smtps://user:password@smtp.example.com. Special characters of the password are written as %40 and the like.':
    (c) => c.SMTP_URL && !isSmtp(c.SMTP_URL),
  'SMTP_URL needs MAIL_FROM, the sender, and SHOP_URL, to which links in e-mails lead.': (c) =>
    c.SMTP_URL && !(c.MAIL_FROM && c.SHOP_URL),
  'MAIL_FROM must be an address such as shop@example.com or My Shop <shop@example.com>.': (c) =>
    c.MAIL_FROM && !isSender(c.MAIL_FROM),
  'TRUST_PROXY must list addresses or ranges such as 10.0.0.0/8, separated by commas.': (c) =>
    !listed(c.TRUST_PROXY).every(isProxy),
  'CURRENCY_DISPLAY must be a current ISO 4217 currency.': (c) => !isPriceable(c.CURRENCY_DISPLAY),
  'CURRENCY_CHARGE must be a current ISO 4217 currency.': (c) => !isPriceable(c.CURRENCY_CHARGE),
  [`SECRETS_KEY must have at least ${MIN_SECRET_LENGTH} characters; several keys are separated by commas.`]:
    (c) => listed(c.SECRETS_KEY).some((secret) => secret.length < MIN_SECRET_LENGTH),
  ...providerRules,
  'RATE_LIMIT must be on with live keys: without limits, passwords can be guessed.': (c) =>
    takesMoney(c) && c.RATE_LIMIT === 'off',
}

const ajv = new Ajv({
  allErrors: true,
  coerceTypes: true,
  useDefaults: true,
  removeAdditional: 'all',
  validateSchema: false,
  verbose: true,
}).addKeyword('x-refusal')

/** The rule beside the schema that the settings break, as a sentence; null when there is none. */
export const brokenRule = (config: Config): string | null =>
  Object.entries(RULES).find(([, isBroken]) => isBroken(config))?.[0] ?? null

/** Reads the settings of this process. Throws a message that names each wrong variable. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const config: unknown = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== ''),
  )
  const isValid = ajv.compile<Omit<Config, 'isCurrencySet'>>(ConfigSchema)
  if (!isValid(config))
    throw new Error((isValid.errors ?? []).map((problem) => sentence(problem, env)).join('\n'))
  const complete = { ...config, isCurrencySet: Boolean(env.CURRENCY_CHARGE) }
  const broken = brokenRule(complete)
  if (broken !== null) throw new Error(broken)
  // prices are shown as they are charged, unless both currencies are set
  return env.CURRENCY_CHARGE && !env.CURRENCY_DISPLAY
    ? { ...complete, CURRENCY_DISPLAY: config.CURRENCY_CHARGE }
    : complete
}
