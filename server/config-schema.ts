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
    description: 'The port to listen on; 0 for a free one',
  }),
  HOST: Setting.text('127.0.0.1', 'The address to listen on; 0.0.0.0 for every network'),
  DATA_DIR: Setting.text('./data', 'The folder of the embedded database and other local files'),
  DATABASE_URL: Setting.optional(
    'PostgreSQL 15 or newer instead of the embedded database, e.g. postgres://user:password@host/name',
  ),
  REDIS_URL: Setting.optional(
    'Redis for rate limits shared by several processes or machines, e.g. redis://host',
  ),
  DEMO: Type.Optional(
    Type.Enum(['on', 'off'], {
      description:
        'Load the demo catalogue and accounts: on or off; by default on with an empty embedded database, unless other settings show that the shop is public; off locks the accounts of a loaded demo',
    }),
  ),
  SHOP_NAME: Setting.text('Haat', 'The name of the shop'),
  SHOP_URL: Setting.optional(
    'The public URL of the shop, e.g. https://shop.example.com; for search engines and shared links',
  ),
  CURRENCY_DISPLAY: Setting.currency('USD', 'The currency that prices are shown in (ISO 4217)'),
  CURRENCY_CHARGE: Setting.currency('INR', 'The currency that payments are made in (ISO 4217)'),
  PAYMENTS: Type.Optional(
    Type.Enum(['sandbox'], {
      description:
        'sandbox: without Razorpay keys, test payments without money; such orders are marked as tests',
    }),
  ),
  RAZORPAY_KEY_ID: Setting.optional(
    'Razorpay live or test key id; without it there are no payments, except test payments while the demo is loaded',
  ),
  RAZORPAY_KEY_SECRET: Setting.optional('Razorpay key secret'),
  RAZORPAY_WEBHOOK_SECRET: Setting.optional(
    'The secret of the webhook at /api/v1/payment/webhook/razorpay; with keys and without it webhooks are refused with 503, and the shop only polls',
  ),
  RAZORPAY_API_URL: Setting.optional(
    "Another address of Razorpay's API, for a proxy or for tests, e.g. http://127.0.0.1:4000",
  ),
  SANDBOX_SECRET: Setting.optional(
    'The signing key of the payment sandbox; by default random and stored in DATA_DIR',
  ),
  RESERVATION_MINUTES: Type.Number({
    default: 15,
    minimum: 0.01,
    maximum: 1440,
    description: 'How long a started payment reserves its stock, in minutes',
  }),
  RETRY_SECONDS: Type.Number({
    default: 60,
    minimum: 1,
    maximum: 3600,
    description:
      'The first pause before the provider is polled for a payment, or a failed refund is retried, in seconds; later pauses grow',
  }),
  CORS_ORIGINS: Setting.optional('Other origins that may call the API, separated by commas'),
  TRUST_PROXY: Setting.optional(
    'Proxies whose forwarded addresses are trusted: addresses or ranges, separated by commas',
  ),
  RATE_LIMIT: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Rate limits: on, or off for load tests',
  }),
  DRAIN_SECONDS: Type.Integer({
    default: 2,
    minimum: 0,
    maximum: 8,
    description:
      'How long a stopping shop (SIGTERM) still serves requests while /readyz answers 503, in seconds',
  }),
  WORKERS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 64,
      description:
        'The number of worker processes; by default one per core (32 at most) with PostgreSQL, and one with the embedded database, which only one process can open',
    }),
  ),
  CACHE_MB: Type.Integer({
    default: 64,
    minimum: 0,
    maximum: 65536,
    description: 'The memory of the page cache in each process, in MB; 0 turns it off',
  }),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65535,
      description: 'The port of /metrics for Prometheus; by default there are no metrics',
    }),
  ),
  METRICS_HOST: Setting.text('127.0.0.1', 'The address of /metrics'),
  OTEL_EXPORTER_OTLP_ENDPOINT: Setting.optional(
    'The collector of traces (OpenTelemetry, OTLP over HTTP), e.g. http://127.0.0.1:4318',
  ),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'The log level: fatal, error, warn, info, debug, trace or silent',
  }),
})
