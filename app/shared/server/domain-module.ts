/**
 * The interface of a domain: `app/<domain>/server/module.ts` exports a module, `app/modules.ts`
 * lists them.
 */
import type { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { RawBuilder } from 'kysely'
import type { Database, Row } from '#db/schema.ts'
import type { ShopSettings } from '../model/shop-settings.ts'
import type { Identify } from './access.ts'
import type { Finding } from './doctor/finding.ts'
import type { CounterStore } from './limits/counters.ts'
import type { Served } from './mount.ts'
import type { PersonalData } from './personal-data-store.ts'
import type { StoredSettings } from './stored-settings/stored-settings.ts'

/** Runs work as a span of the current trace. */
export type Trace = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Keeps a value in this process until one of its tags is published, by whichever process. Without the page
 * cache, nothing is kept.
 */
export type Keep = <Value>(
  key: string,
  tags: readonly string[],
  make: () => Promise<Value>,
) => Promise<Value>

export type Log = Pick<FastifyBaseLogger, 'debug' | 'warn' | 'error'>

/** The facts of a row that the history shows, as SQL in which `audit_log.row_id` is its id. */
export type AuditedRow = {
  /** Its present name; null when it is deleted. */
  name: RawBuilder<string | null>
  /** The currency of its amounts. */
  currency?: RawBuilder<string | null>
  /** The slug of its page. */
  slug?: RawBuilder<string | null>
  /**
   * The columns that its entries have, sorted, where the table is or refers to users. A test demands them: a new
   * column is declared here, or the trigger leaves it out.
   */
  stored?: string[]
}

export type AuditedRows = Partial<Record<Row<'audit_log'>['table_name'], AuditedRow>>

/** The arguments of opening a module; `Settings` are the settings that it reads. */
export type ModuleContext<Settings> = {
  db: Database
  settings: Settings
  counters: CounterStore
  log: Log
  /** Whether the demo data is loaded and its logins are open. */
  isDemo: boolean
  /** Runs the checks of `npm run shop -- doctor` on the running shop. Changes nothing. */
  examine: () => Promise<Finding[]>
  /** The personal data of all domains. */
  personalData: PersonalData
  trace?: Trace | undefined
  keep: Keep
  /** The audited rows of all domains. */
  auditedRows: AuditedRows
  /** The settings that admins store where the environment has none. They may change `settings` at any time. */
  stored: StoredSettings
}

/**
 * A background job. When the signal is aborted, the shop is closing: the run ends after its current
 * unit of work.
 */
export type Job = { name: string; everyMs: number; run: (closing: AbortSignal) => Promise<unknown> }

export type OpenedModule = {
  /** The contracts of the domain, with their handlers. */
  calls: Served[]
  /** Resolves session tokens; one module provides it. */
  identify?: Identify
  /** Routes that are not declared endpoints. */
  addRoutes?: ((api: FastifyInstance) => void) | undefined
  /** Background jobs. Several processes may run them, so each claims its rows. */
  jobs?: Job[]
  /** Called after a change of the stored settings, for what the module has made of them. */
  refresh?: () => Promise<void>
  /** Settings for pages, read for each; those of the merchant as they were at the start. */
  pageSettings?: Partial<ShopSettings>
  /** Lines printed at startup. */
  startupLines?: string[]
  /**
   * Makes more of these lines, for the address of the shop. Only the process that prints them calls
   * it, after every start.
   */
  announce?: (address: string) => Promise<string[]>
}

/** A gauge read from the database with each scrape: its value by label. */
export type DatabaseGauge = {
  name: string
  help: string
  count: (db: Database) => Promise<Record<string, number>>
}

/**
 * A rule that each transaction leaves intact. The doctor lists the rows that break it, a
 * metric counts them, and tests compare them with none.
 */
export type Invariant = {
  /** The label of the metric. */
  name: string
  /** A row that breaks it, in words. */
  violation: string
  /** Selects the `id` of each row that breaks it. */
  query: RawBuilder<{ id: string }>
}

/** The decoded parameters of a query string, in order. */
export type Query = [name: string, value: string][]

/** A rule of the cache key, where the schema of the query is not sufficient. */
export type CacheKeyRule = {
  /** The declared path of the endpoint. */
  path: string
  /** The canonical form of a valid query; null when it is ambiguous or invalid. */
  canonicalQuery?: (query: Query) => Query | null
  /** The media type of the answer for an Accept header. */
  typeFor?: (accept: string | undefined) => string
}

/** The arguments of a command (`npm run shop`); `input` is a file, for commands that read one. */
export type CommandContext = { db: Database; input: Readable; personalData: PersonalData }

/** Facts that the doctor passes to each domain. */
export type Examination = {
  isDemo: boolean
  /** A setting that shows that the shop is public, as the end of a sentence; null without one. */
  signOfRealShop: string | null
}

/** A domain; `Settings` are the settings that its module reads. */
export type DomainModule<Settings = object> = {
  /** Opens the module, once per process. */
  open: (context: ModuleContext<Settings>) => OpenedModule | Promise<OpenedModule>
  gauges?: DatabaseGauge[]
  /** Its tables with data of a user: their part of the user's export, and of closing the account. */
  personalData?: PersonalData
  invariants?: Invariant[]
  cacheKeys?: CacheKeyRule[]
  /** The rows of its tables that the audit log has entries of. */
  auditedRows?: AuditedRows
  /** The checks of `npm run shop -- doctor`. They change nothing and do not throw. */
  examine?: (settings: Settings, shop: Examination) => Promise<Finding[]>
  /** Its checks of the data of a shop that is no demo. */
  examineData?: (db: Database, settings: Settings) => Promise<Finding[]>
}
