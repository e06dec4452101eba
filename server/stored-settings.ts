/** Opens the stored settings: they take effect where the environment has none, without a restart. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { liveSettings } from '#app/payments/server/providers/list.ts'
import { type Finding, ok, problem } from '#app/shared/server/doctor/finding.ts'
import {
  decrypt,
  type EncryptionKey,
  encrypt,
  keyOf,
  newSecret,
} from '#app/shared/server/stored-settings/encryption.ts'
import type {
  StoredGroup,
  StoredSettings,
  Values,
} from '#app/shared/server/stored-settings/stored-settings.ts'
import {
  type StoredRow,
  selectStoredSettings,
} from '#app/shared/server/stored-settings/stored-settings-store.ts'
import type { Schema } from '#db/schema.ts'
import { brokenRule, type Config, listed } from './config.ts'

/** The settings of each group. The currency of charges is stored with the keys that charge in it. */
const NAMES: Record<StoredGroup, readonly string[]> = {
  address: ['SHOP_URL'],
  email: ['SMTP_URL', 'MAIL_FROM'],
  payments: [...liveSettings().flatMap(({ settings }) => settings), 'CURRENCY_CHARGE'],
}

/** In the order in which they take effect: e-mails need the address. */
const ORDER: readonly StoredGroup[] = ['address', 'email', 'payments']

/** What the finding about each group is called. */
const LABELS: Record<StoredGroup, string> = {
  address: 'public address',
  email: 'SMTP server',
  payments: 'payment provider',
}

const KEY_FILE = 'secrets.key'

const NO_KEY =
  'Settings are stored encrypted, and the environment has no key. Set SECRETS_KEY to a random text of at least 32 characters, such as the output of: openssl rand -base64 32'

const UNREADABLE =
  'They were stored with another key, so they cannot be read. Set SECRETS_KEY to the former key, or enter them again.'

/** A setting of a configuration, by its name. */
const read = (config: Config, name: string): string | undefined => {
  const value: unknown = Reflect.get(config, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The setting of the environment that decides about a group. Test payments are a choice of the environment, too. */
const decidingName = (environment: Config, group: StoredGroup) =>
  [
    ...NAMES[group].filter((name) => name !== 'CURRENCY_CHARGE'),
    ...(group === 'payments' ? ['PAYMENTS'] : []),
  ].find((name) => read(environment, name) !== undefined) ?? null

/** Some settings of a configuration, also those that it does not have. */
const pick = (config: Config, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, Reflect.get(config, name)]))

const pathOf = ({ DATA_DIR }: Config) => join(DATA_DIR, KEY_FILE)

/** The keys, of which the first encrypts; those of the environment come before the file of an embedded database. */
async function keysOf(config: Config): Promise<EncryptionKey[]> {
  const given = listed(config.SECRETS_KEY)
  if (given.length > 0 || config.DATABASE_URL) return given.map(keyOf)
  const text = await readFile(pathOf(config), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? [] : [keyOf(text.trim())]
}

async function makeKey(config: Config): Promise<EncryptionKey> {
  if (config.DATABASE_URL) throw new Error(NO_KEY)
  const secret = newSecret()
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 })
  await writeFile(pathOf(config), `${secret}\n`, { mode: 0o600, flag: 'wx' })
  return keyOf(secret)
}

/** What the stored settings make of those of the environment. */
type Overlay = {
  config: Config
  keys: EncryptionKey[]
  stored: ReadonlySet<StoredGroup>
  problems: Partial<Record<StoredGroup, string>>
}

/** A configuration with these settings of a group instead of its own. */
function replaced(config: Config, environment: Config, group: StoredGroup, values: Values): Config {
  const names = NAMES[group].filter(
    (name) => name !== 'CURRENCY_CHARGE' || !environment.isCurrencySet,
  )
  const changes = names.map((name) => [name, values[name] ?? Reflect.get(environment, name)])
  return { ...config, ...Object.fromEntries(changes) }
}

function valuesIn(rows: StoredRow[], keys: EncryptionKey[]): Values | null {
  const values: Values = {}
  for (const row of rows) {
    const text = decrypt(keys, row.name, row)
    if (text === null) return null
    values[row.name] = text
  }
  return values
}

function overlaid(environment: Config, rows: StoredRow[], keys: EncryptionKey[]): Overlay {
  const overlay: Overlay = { config: environment, keys, stored: new Set(), problems: {} }
  const stored = new Set<StoredGroup>()
  for (const group of ORDER) {
    const own = rows.filter(({ name }) => NAMES[group].includes(name))
    if (own.length === 0) continue
    stored.add(group)
    if (decidingName(environment, group) !== null) continue
    const values = valuesIn(own, keys)
    const next = values && replaced(overlay.config, environment, group, values)
    const refusal = next ? brokenRule(next) : UNREADABLE
    if (next && refusal === null) overlay.config = next
    else overlay.problems[group] = refusal ?? UNREADABLE
  }
  return { ...overlay, stored }
}

const overlayOf = async (environment: Config, db: Kysely<Schema>) =>
  overlaid(environment, await selectStoredSettings(db), await keysOf(environment))

/** The settings of the environment with the stored ones, and what the doctor says of these. */
export async function examineStoredSettings(
  environment: Config,
  db: Kysely<Schema>,
): Promise<{ config: Config; findings: Finding[] }> {
  const { config, stored, problems } = await overlayOf(environment, db)
  const findings = [...stored].map((group) => {
    const why = problems[group]
    const subject = `the ${LABELS[group]} of the back office`
    return why === undefined
      ? ok('Stored settings', `${subject} is in use`)
      : problem('Stored settings', `${subject} is not used`, why)
  })
  return { config, findings }
}

export type OpenedSettings = StoredSettings & {
  /** The settings of the process. The object stays the same, and its values change. */
  config: Config
  /** Those of the environment alone. */
  environment: Config
  /** Called after each change of the settings. */
  onChange: (listener: () => unknown) => void
}

/** What differs between two readings of the stored settings. */
const digestOf = ({ config, keys, stored, problems }: Overlay) =>
  JSON.stringify([config, keys.map(({ id }) => id), [...stored], problems])

/** Opens the stored settings on those of the environment. */
export async function openStoredSettings(
  environment: Config,
  db: Kysely<Schema>,
): Promise<OpenedSettings> {
  const listeners: (() => unknown)[] = []
  let overlay = await overlayOf(environment, db)
  const config = { ...overlay.config }
  return {
    config,
    environment,
    namesOf: (group) => NAMES[group],
    valuesOf: (group) => Object.fromEntries(NAMES[group].map((name) => [name, read(config, name)])),
    environmentOf: (group) => decidingName(environment, group),
    isStored: (group) => overlay.stored.has(group),
    problemOf: (group) => overlay.problems[group] ?? null,
    refusal: () => (environment.DATABASE_URL && overlay.keys.length === 0 ? NO_KEY : null),
    brokenRule: (group, values) => brokenRule(replaced(config, environment, group, values)),
    async seal(name, text) {
      const [key = await makeKey(environment)] = await keysOf(environment)
      return encrypt(key, name, text)
    },
    async refresh() {
      const former = digestOf(overlay)
      overlay = await overlayOf(environment, db)
      if (digestOf(overlay) === former) return
      const names = ORDER.flatMap((group) => NAMES[group])
      // also those that are gone
      Object.assign(config, pick(overlay.config, names))
      for (const listener of listeners) await listener()
    },
    onChange: (listener) => listeners.push(listener),
  }
}
