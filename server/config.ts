import { isIP } from 'node:net'
import { envSchema } from 'env-schema'
import { type Static, Type } from 'typebox'
import { expected, type Problem } from './wrong-setting.ts'

const Setting = {
  /** A variable that may be missing; empty counts as missing. */
  optional: (description: string) => Type.Optional(Type.String({ description })),
  text: (value: string, description: string) =>
    Type.String({ default: value, minLength: 1, description }),
  currency: (value: string, description: string) =>
    Type.String({ default: value, pattern: '^[A-Z]{3}$', description }),
}

/** Every setting, with the line that explains it; `.env.example` is written from this. */
export const ConfigSchema = Type.Object({
  PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65535,
    description: 'The port to listen on; 0 takes a free one',
  }),
  HOST: Setting.text('127.0.0.1', 'The address to listen on; 0.0.0.0 for every network'),
  DATA_DIR: Setting.text('./data', 'The folder of the embedded database and other local files'),
  DATABASE_URL: Setting.optional(
    'PostgreSQL 15 or newer instead of the embedded database, e.g. postgres://user:password@host/name',
  ),
  REDIS_URL: Setting.optional(
    'Redis, where several processes or machines count their limits together, e.g. redis://host',
  ),
  DEMO: Type.Optional(
    Type.Enum(['on', 'off'], {
      description:
        'Load the demo catalogue and accounts: on or off; when not set, on with an empty embedded database, unless other settings speak of a real shop; off locks the accounts of a demo that was loaded',
    }),
  ),
  SHOP_NAME: Setting.text('Haat', 'The name of the shop'),
  SHOP_URL: Setting.optional(
    'Where visitors find the shop, e.g. https://shop.example.com; search engines and shared links are told by it',
  ),
  CURRENCY_DISPLAY: Setting.currency('USD', 'The currency that prices are shown in (ISO 4217)'),
  CURRENCY_CHARGE: Setting.currency('INR', 'The currency that payments are made in (ISO 4217)'),
  PAYMENTS: Type.Optional(
    Type.Enum(['sandbox'], {
      description:
        'sandbox: without Razorpay keys, let customers pay without money, to try the shop; such orders are marked as tests',
    }),
  ),
  RAZORPAY_KEY_ID: Setting.optional(
    'Razorpay live or test key id; without it there are no payments, but tests while the demo is loaded',
  ),
  RAZORPAY_KEY_SECRET: Setting.optional('Razorpay key secret'),
  RAZORPAY_WEBHOOK_SECRET: Setting.optional(
    'What Razorpay signs its reports to /api/v1/payment/webhook/razorpay with; with keys and without it they are refused with 503, and the shop only asks by itself',
  ),
  RAZORPAY_API_URL: Setting.optional(
    "Another address of Razorpay's API, for a proxy or for tests, e.g. http://127.0.0.1:4000",
  ),
  SANDBOX_SECRET: Setting.optional(
    'What the payment sandbox signs with; when not set, random and kept in DATA_DIR',
  ),
  HOLD_MINUTES: Type.Number({
    default: 15,
    minimum: 0.01,
    maximum: 1440,
    description: 'How long a started payment keeps its pieces from other buyers, in minutes',
  }),
  RETRY_SECONDS: Type.Number({
    default: 60,
    minimum: 1,
    maximum: 3600,
    description:
      'How long until the provider is asked about a payment that nobody has reported, or for a refund that failed; the pauses grow from there',
  }),
  CORS_ORIGINS: Setting.optional('Other origins that may call the API, separated by commas'),
  TRUST_PROXY: Setting.optional(
    'Proxies whose forwarded address counts: addresses or ranges, separated by commas',
  ),
  RATE_LIMIT: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Limits how often one may call and guess: on, or off for load tests',
  }),
  DRAIN_SECONDS: Type.Integer({
    default: 2,
    minimum: 0,
    maximum: 8,
    description:
      'How long a shop that is told to stop (SIGTERM) still serves whoever comes, while /readyz sends them elsewhere',
  }),
  WORKERS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 64,
      description:
        "How many processes serve the shop behind its port; when not set, one for each of the machine's cores (32 at most) with PostgreSQL, and one with the embedded database, which only one can open",
    }),
  ),
  CACHE_MB: Type.Integer({
    default: 64,
    minimum: 0,
    maximum: 65536,
    description:
      'How much memory kept pages, answers and photos may take in each process, in MB; 0 keeps nothing',
  }),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65535,
      description: 'The port to serve /metrics for Prometheus on; when not set, nothing is counted',
    }),
  ),
  METRICS_HOST: Setting.text('127.0.0.1', 'The address to serve /metrics on'),
  OTEL_EXPORTER_OTLP_ENDPOINT: Setting.optional(
    'Where traces are sent (OpenTelemetry, OTLP over HTTP), e.g. http://127.0.0.1:4318',
  ),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'How much is logged: fatal, error, warn, info, debug, trace or silent',
  }),
})

export type Config = Static<typeof ConfigSchema>

type Setting = { name: string; description?: string; default?: unknown }
const settings = Object.entries(ConfigSchema.properties).map(
  ([name, schema]): Setting => ({ name, ...schema }),
)

/** The text of `.env.example`: each setting with its explanation and its default. */
export const environmentExample = () =>
  [
    '# Every setting of the shop. Copy this file to .env and change what you need.',
    '# Written from server/config.ts by `npm run env-example`.',
    '',
    ...settings.map(
      ({ name, description, default: value = '' }) => `# ${description}\n# ${name}=${value}\n`,
    ),
  ].join('\n')

function sentence(problem: Problem, env: NodeJS.ProcessEnv) {
  const name = problem.instancePath.slice(1) || String(problem.params.missingProperty)
  const meaning = settings.find((setting) => setting.name === name)?.description
  return `${name} is set to "${env[name]}", but it ${expected(problem)}. It means: ${meaning}.`
}

/** The parts of a setting that lists things, separated by commas. */
export const listed = (setting = '') =>
  setting
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text

const isRange = ([address = '', bits, ...more]: string[]) => {
  const most = { 4: 32, 6: 128 }[isIP(address)] ?? -1
  return (
    most > 0 && more.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && +bits <= most))
  )
}

/** An address, a range such as 10.0.0.0/8, or a range that has a name. */
const isProxy = (text: string) =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(text) || isRange(text.split('/'))

/** Prices have two decimals, here and at the provider; yen have none, dinars three. */
const hasCents = (currency: string) =>
  Intl.supportedValuesOf('currency').includes(currency) &&
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits === 2

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Whether what is sent to this address can be read on the way. */
const isInClear = (text = '') => {
  const url = URL.parse(text)
  return url?.protocol === 'http:' && !LOOPBACK.test(url.hostname)
}

const takesMoney = ({ RAZORPAY_KEY_ID }: Config) => RAZORPAY_KEY_ID?.startsWith('rzp_live_')

const RULES: [broken: (config: Config) => unknown, sentence: string][] = [
  [
    (c) => c.DATABASE_URL && !/^postgres(ql)?:\/\/./.test(c.DATABASE_URL),
    'DATABASE_URL must start with postgres:// or postgresql://.',
  ],
  [
    (c) => !c.DATABASE_URL && (c.WORKERS ?? 1) > 1,
    'WORKERS must be 1 with the embedded database, which only one process can open; set DATABASE_URL to a PostgreSQL server for more.',
  ],
  [
    (c) => c.REDIS_URL && !/^rediss?:\/\/./.test(c.REDIS_URL),
    'REDIS_URL must start with redis:// or rediss://.',
  ],
  [
    (c) => c.OTEL_EXPORTER_OTLP_ENDPOINT && !/^https?:\/\/./.test(c.OTEL_EXPORTER_OTLP_ENDPOINT),
    'OTEL_EXPORTER_OTLP_ENDPOINT must start with http:// or https://.',
  ],
  [
    (c) => !listed(c.CORS_ORIGINS).every((origin) => origin === '*' || isOrigin(origin)),
    'CORS_ORIGINS must list origins such as https://shop.example.com, without a path, separated by commas.',
  ],
  [
    (c) => c.SHOP_URL && !(isOrigin(c.SHOP_URL) && /^https?:/.test(c.SHOP_URL)),
    'SHOP_URL must be an origin such as https://shop.example.com, without a path.',
  ],
  [
    (c) => !listed(c.TRUST_PROXY).every(isProxy),
    'TRUST_PROXY must list addresses or ranges such as 10.0.0.0/8, separated by commas.',
  ],
  [
    (c) => !hasCents(c.CURRENCY_DISPLAY),
    'CURRENCY_DISPLAY must be a currency of today with two decimals.',
  ],
  [
    (c) => !hasCents(c.CURRENCY_CHARGE),
    'CURRENCY_CHARGE must be a currency of today with two decimals.',
  ],
  [
    (c) => Boolean(c.RAZORPAY_KEY_ID) !== Boolean(c.RAZORPAY_KEY_SECRET),
    'RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET must be set together.',
  ],
  [
    (c) => c.PAYMENTS === 'sandbox' && c.RAZORPAY_KEY_ID,
    'PAYMENTS=sandbox and RAZORPAY_KEY_ID exclude each other: take out the one that is not meant.',
  ],
  [
    (c) => c.RAZORPAY_API_URL && !/^https?:$/.test(URL.parse(c.RAZORPAY_API_URL)?.protocol ?? ''),
    'RAZORPAY_API_URL must start with http:// or https://.',
  ],
  [
    (c) => c.RAZORPAY_KEY_SECRET && isInClear(c.RAZORPAY_API_URL),
    'RAZORPAY_API_URL must start with https:// when keys are set, unless it is on this machine: the keys would be sent in the clear.',
  ],
  [
    (c) => takesMoney(c) && c.RATE_LIMIT === 'off',
    'RATE_LIMIT must be on with live Razorpay keys: passwords could be guessed without end.',
  ],
  [
    (c) => takesMoney(c) && c.CURRENCY_DISPLAY !== c.CURRENCY_CHARGE,
    'CURRENCY_DISPLAY and CURRENCY_CHARGE must be the same with live Razorpay keys: customers would be charged another amount than they see.',
  ],
]

/** The settings of this process. Throws a sentence that names the variable which is wrong. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const filled = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  try {
    const config = envSchema<Config>({ schema: { ...ConfigSchema }, data: filled, env: false })
    const broken = RULES.find(([isBroken]) => isBroken(config))
    if (broken) throw new Error(broken[1])
    return config
  } catch (error) {
    const problems = (error as { errors?: Problem[] }).errors
    if (!problems) throw error
    throw new Error(problems.map((problem) => sentence(problem, env)).join('\n'), { cause: error })
  }
}
