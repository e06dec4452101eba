import { Type } from 'typebox'
import { providerSettings } from '#app/payments/server/providers/list.ts'

const Setting = {
  /** An optional variable; empty counts as missing. */
  optional: (description: string) => Type.Optional(Type.String({ description })),
  text: (value: string, description: string) =>
    Type.String({ default: value, minLength: 1, description }),
  currency: (value: string, description: string) =>
    Type.String({
      default: value,
      pattern: '^[A-Z]{3}$',
      'x-refusal': 'must be three capital letters, such as USD',
      description,
    }),
}

/** Every setting and its description. `.env.example` and error messages are generated from this. */
export const ConfigSchema = Type.Object({
  PORT: Type.Integer({
    default: 3000,
    minimum: 0,
    maximum: 65535,
    description: 'Port to listen on. 0 selects a free port.',
  }),
  HOST: Setting.text(
    '127.0.0.1',
    'Address to listen on. 0.0.0.0 listens on every network interface.',
  ),
  DATA_DIR: Setting.text('./data', 'Folder of the embedded database and of other local files.'),
  DATABASE_URL: Setting.optional(
    'Connection URL of PostgreSQL 15 or newer, e.g. postgres://user:password@host/name. When not set, the shop uses the embedded database.',
  ),
  PGBOUNCER: Type.Optional(
    Type.Enum(['transaction'], {
      description:
        'Set it to transaction when DATABASE_URL leads through PgBouncer in transaction mode: then no prepared statements are used.',
    }),
  ),
  REDIS_URL: Setting.optional(
    'Redis for the counters of rate limits, e.g. redis://host. Shops on several machines share it. When not set, several worker processes count in PostgreSQL, and a single process counts in memory.',
  ),
  DEMO: Type.Optional(
    Type.Enum(['on', 'off'], {
      description:
        'Load the demo catalogue and the demo accounts: on or off. When not set, the demo is loaded into an empty embedded database, unless a live key of a payment provider, SHOP_URL, HOST or TRUST_PROXY shows that others reach the shop. off also locks the demo accounts of an earlier start.',
    }),
  ),
  SHOP_NAME: Setting.text(
    'Haat',
    'Name of the shop at its first start. From then on it is a setting of the back office.',
  ),
  SHOP_URL: Setting.optional(
    'Public address of the shop, e.g. https://shop.example.com. Canonical links, sitemaps, feeds and the pictures of shared links need it.',
  ),
  SECRETS_KEY: Setting.optional(
    'Key that encrypts what admins set in the back office: payment keys, SMTP server and public address. A random text of at least 32 characters, e.g. from: openssl rand -base64 32. To replace it, put the new one before the former one, separated by a comma. When not set, an embedded database has its key in the file secrets.key in DATA_DIR, and with DATABASE_URL these are set in the environment only.',
  ),
  SMTP_URL: Setting.optional(
    'SMTP server that sends e-mails, e.g. smtps://user:password@smtp.example.com or smtp://user:password@smtp.example.com:587. When not set, e-mails are written to the folder emails in DATA_DIR. Needs MAIL_FROM and SHOP_URL.',
  ),
  MAIL_FROM: Setting.optional(
    'Sender of e-mails, e.g. My Shop <shop@example.com>. Without a name it is the name of the shop.',
  ),
  CURRENCY_DISPLAY: Setting.currency(
    'USD',
    'Currency in which prices are shown (ISO 4217), at the first start. From then on it is a setting of the back office. When not set, it is CURRENCY_CHARGE where that is set, and INR where only live keys of a payment provider are.',
  ),
  CURRENCY_CHARGE: Setting.currency(
    'INR',
    'Currency in which payments are charged (ISO 4217). When not set, it is that of prices. When set, it must be the currency of the settings: only the demo shows one and charges the same figures in another.',
  ),
  ...providerSettings,
  RESERVATION_MINUTES: Type.Number({
    default: 15,
    minimum: 0.01,
    maximum: 1440,
    description: 'Minutes for which a started payment reserves its stock.',
  }),
  RETRY_SECONDS: Type.Number({
    default: 60,
    minimum: 1,
    maximum: 3600,
    description:
      'Seconds until an unconfirmed payment is polled at the provider, or a failed refund is retried. Each further poll waits four times as long, up to a day; each further retry twice as long, up to six hours.',
  }),
  CORS_ORIGINS: Setting.optional(
    'Other origins whose pages may call the API, separated by commas. * allows every origin.',
  ),
  TRUST_PROXY: Setting.optional(
    'Proxies whose X-Forwarded-* headers are trusted: addresses, ranges such as 10.0.0.0/8, or loopback, linklocal, uniquelocal, separated by commas.',
  ),
  HSTS_SUBDOMAINS: Type.Enum(['on', 'off'], {
    default: 'on',
    description:
      'Whether browsers use HTTPS for the subdomains of the shop, too: on, or off when one of them has none.',
  }),
  RATE_LIMIT: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Rate limits: on, or off for load tests. With live keys they must be on.',
  }),
  DRAIN_SECONDS: Type.Integer({
    default: 2,
    minimum: 0,
    maximum: 8,
    description:
      'Seconds for which the shop still serves requests after SIGTERM, while /readyz answers 503 so that a load balancer sends no more.',
  }),
  WORKERS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 64,
      description:
        'Number of worker processes. When not set, one for each CPU core (at most 32) with PostgreSQL, and one with the embedded database, which only one process can open.',
    }),
  ),
  CACHE_MB: Type.Integer({
    default: 32,
    minimum: 0,
    maximum: 65536,
    description: 'Memory of the page cache in each process, in MB. 0 switches the cache off.',
  }),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65535,
      description: 'Port of /metrics for Prometheus. When not set, nothing is measured.',
    }),
  ),
  METRICS_HOST: Setting.text('127.0.0.1', 'Address on which /metrics is served.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: Setting.optional(
    'OpenTelemetry collector that receives traces by OTLP over HTTP, e.g. http://127.0.0.1:4318. When not set, no traces are sent.',
  ),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'Lowest level that is logged: fatal, error, warn, info, debug, trace or silent.',
  }),
})
