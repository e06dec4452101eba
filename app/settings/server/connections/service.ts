/**
 * The connections of the shop: payment provider, SMTP server and public address. They decide where money, e-mails
 * and their links go, so that a change needs the password, is in the history, and is mailed to every admin.
 */
import { requirePasswordOf } from '#app/accounts/server/profile.ts'
import { requireAdmin } from '#app/accounts/server/roles.ts'
import type { ClientContext } from '#app/accounts/server/service.ts'
import { examineBySending, sendThrough } from '#app/emails/server/send-through.ts'
import type { EmailSettings } from '#app/emails/server/settings.ts'
import { examinePayments } from '#app/payments/server/doctor/doctor.ts'
import { PROVIDERS, type ProviderSettings } from '#app/payments/server/providers/list.ts'
import {
  CONNECTIONS,
  type Connection,
  type ConnectionName,
} from '#app/settings/connection-contract.ts'
import type { Caller } from '#app/shared/server/access.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import { type Finding, problem } from '#app/shared/server/doctor/finding.ts'
import type { Log } from '#app/shared/server/domain-module.ts'
import { conflict, invalid, invalidFields, unavailable } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { recordEvent } from '#app/shared/server/outbox/events-store.ts'
import type { StoredSettings, Values } from '#app/shared/server/stored-settings/stored-settings.ts'
import {
  deleteStoredSettings,
  type StoredRow,
  selectStoredSettings,
  upsertStoredSettings,
} from '#app/shared/server/stored-settings/stored-settings-store.ts'
import type { Database } from '#db/schema.ts'
import { settingOf } from '../service.ts'
import { examineAddress } from './address-proof.ts'
import { cleaned, completed, DEFINITIONS, problemsOf } from './definitions.ts'

export type ConnectionContext = {
  db: Database
  stored: StoredSettings
  /** The settings of the process, which stored ones change. */
  settings: ProviderSettings & EmailSettings & { CURRENCY_CHARGE: string; isCurrencySet: boolean }
  isDemo: boolean
  log: Log
}

const IN_DEMO =
  'The login of the demo is published, so the demo is connected to nothing. Start the shop with DEMO=off first.'

const NEEDS_ADDRESS =
  'Set the public address first, under Settings, Address: links in e-mails lead there.'

/** A secret of fewer characters shows none of them. */
const MIN_ENDING_LENGTH = 16

const endingOf = (secret: string) => (secret.length < MIN_ENDING_LENGTH ? null : secret.slice(-4))

/** Why a connection cannot be set here, as a sentence; null when it can. */
function refusalOf({ stored, isDemo }: ConnectionContext, name: ConnectionName): string | null {
  const variable = stored.environmentOf(name)
  if (variable !== null)
    return `It is set by ${variable} in the environment of the shop. Remove it there to set it here.`
  if (isDemo) return IN_DEMO
  const lacksAddress = !stored.valuesOf('address').SHOP_URL && !stored.isStored('email')
  return stored.refusal() ?? (name === 'email' && lacksAddress ? NEEDS_ADDRESS : null)
}

/** All connections, without their secrets. */
export const connectionsOf = (context: ConnectionContext): Connection[] =>
  CONNECTIONS.map((name) => {
    const { stored } = context
    const definition = DEFINITIONS[name]
    const values = definition.read(stored.valuesOf(name))
    return {
      name,
      environment: stored.environmentOf(name),
      isStored: stored.isStored(name),
      refusal: refusalOf(context, name),
      problem: stored.problemOf(name),
      fields: definition.fields.map(({ name, label, hint, secretOf }) => {
        const value = values[name] ?? ''
        const isWriteOnly = secretOf !== undefined
        return {
          name,
          label,
          ...(hint !== undefined && { hint }),
          value: isWriteOnly ? '' : value,
          isWriteOnly,
          isSet: value !== '',
          // the first characters of a password say more than the last ones of a random key
          ending: isWriteOnly && name !== 'password' ? endingOf(value) : null,
        }
      }),
    }
  })

const HAS_EMAIL = 'E-mails need the address. Remove the SMTP server first.'

/** Throws for settings that break a rule of the process. */
function requireRules({ stored }: ConnectionContext, name: ConnectionName, next: Values) {
  const broken = stored.brokenRule(name, next)
  if (broken === null) return
  if (name === 'email' && !stored.valuesOf('address').SHOP_URL) throw conflict(NEEDS_ADDRESS)
  if (name === 'address' && next.SHOP_URL === undefined) throw conflict(HAS_EMAIL)
  throw invalid(broken)
}

/** Keys charge in the currency of prices, and the provider has to know them. */
async function checkedKeys({ db, settings }: ConnectionContext, next: Values): Promise<Values> {
  const candidate = { ...settings, ...next }
  for (const { label, modeOf, ping } of PROVIDERS) {
    if (!ping || modeOf(candidate) === null) continue
    const { knowsKeys } = await ping(candidate).catch(() => {
      throw unavailable(
        `${label} does not answer, so the keys cannot be checked. Nothing was saved.`,
        60,
      )
    })
    if (!knowsKeys)
      throw invalid(`${label} does not know these keys. Copy them again: they belong together.`)
  }
  if (settings.isCurrencySet) return next
  return { ...next, CURRENCY_CHARGE: await settingOf(db, 'currencyDisplay') }
}

/** The settings that the sent values become; none removes the connection. Throws with what is wrong. */
async function settingsOfSent(context: ConnectionContext, name: ConnectionName, sent: Values) {
  const definition = DEFINITIONS[name]
  const [first] = definition.fields
  const given = cleaned(definition, sent)
  if (!first || given[first.name] === '') return {}
  const values = completed(definition, given, definition.read(context.stored.valuesOf(name)))
  const problems = problemsOf(definition, values).flatMap(([field, message]) =>
    message === null ? [] : [{ field: `values.${field}`, message }],
  )
  if (problems.length > 0) throw invalidFields(problems)
  const next = Object.fromEntries(
    Object.entries(definition.write(values)).filter(([, value]) => value !== ''),
  )
  requireRules(context, name, next)
  return name === 'payments' ? checkedKeys(context, next) : next
}

/** Stores the changed settings of a connection; answers the id of the event, of which every admin is warned. */
async function store(
  { db, stored }: ConnectionContext,
  { caller, by, name, next }: { caller: Caller; by: string; name: ConnectionName; next: Values },
): Promise<string> {
  const present = stored.valuesOf(name)
  const isUnreadable = stored.problemOf(name) !== null
  const former = new Map((await selectStoredSettings(db)).map((row) => [row.name, row.key_id]))
  const rows: StoredRow[] = []
  for (const [variable, text = ''] of Object.entries(next)) {
    const sealed = await stored.seal(variable, text)
    // what is the same moves to a new key
    const isSame = text === present[variable] && sealed.key_id === former.get(variable)
    if (isUnreadable || !isSame) rows.push({ name: variable, ...sealed })
  }
  const removed = stored.namesOf(name).filter((variable) => next[variable] === undefined)
  return inTransaction(db, admin(caller), async (tx) => {
    await requireAdmin(tx, caller, caller.userId)
    await upsertStoredSettings(tx, rows)
    await deleteStoredSettings(tx, removed)
    const facts = { connection: name, by, at: new Date().toISOString() }
    return recordEvent(tx, { kind: 'settings_changed', facts })
  })
}

/**
 * Sets or removes a connection; this process uses it when it resolves, the others within seconds. Throws
 * `conflict` where it cannot be set here, `invalid` for a wrong password or value, `rate_limited` after too many
 * wrong passwords, and `unavailable` when the provider does not answer.
 */
export async function saveConnection(
  context: ConnectionContext,
  client: ClientContext,
  caller: Caller,
  { name, values, password }: { name: ConnectionName; values: Values; password: string },
): Promise<void> {
  const { db, stored, settings, log } = context
  const refusal = refusalOf(context, name)
  if (refusal !== null) throw conflict(refusal)
  const { name: by } = await requirePasswordOf(db, client, caller, password)
  const next = await settingsOfSent(context, name, values)
  if (name === 'address' && next.SHOP_URL === undefined) requireRules(context, name, next)
  const former = { ...settings }
  const eventId = await store(context, { caller, by, name, next })
  // by the server that the admins' e-mails came from until now: the new one may be a stranger's
  try {
    if (name === 'email') await sendThrough(db, former, { eventId, log })
  } finally {
    await stored.refresh()
  }
}

const NO_PROVIDER = problem(
  'Payments',
  'no provider is set up',
  'Enter the keys of your account there.',
)

/** Tests a connection as it is in use. */
export async function testConnection(
  { db, settings, stored, log }: ConnectionContext,
  name: ConnectionName,
  recipient: string,
): Promise<Finding[]> {
  const why = stored.problemOf(name)
  const unused = why === null ? [] : [problem('Stored settings', 'they are not used', why)]
  if (name === 'address') {
    const address = stored.valuesOf(name).SHOP_URL
    return [...unused, await examineAddress(db, { address, log })]
  }
  if (name === 'email') return [...unused, await examineBySending(db, settings, recipient)]
  const found = await examinePayments(settings, { isDemo: false, signOfRealShop: null })
  return [...unused, ...(found.length > 0 ? found : [NO_PROVIDER])]
}
