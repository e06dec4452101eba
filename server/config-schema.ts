import { Type } from 'typebox'

const Setting = {
  /** An optional variable; empty counts as missing. */
  optional: (description: string) => Type.Optional(Type.String({ description })),
  text: (value: string, description: string) =>
    Type.String({ default: value, minLength: 1, description }),
  currency: (value: string, description: string) =>
    Type.String({ default: value, pattern: '^[A-Z]{3}$', description }),
}

/** Every setting with its description; `.env.example` is generated from it. */
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
  RESERVATION_MINUTES: Type.Number({
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
