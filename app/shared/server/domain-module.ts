/** What a domain hands to the process: `app/<domain>/server/module.ts` exports it, `app/modules.ts` lists it. */
import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Database } from '#db/schema.ts'
import type { ShopSettings } from '../contract/shop-settings.ts'
import type { Finding } from './doctor/finding.ts'
import type { CounterStore } from './limits/counters.ts'
import type { Identify, Served } from './mount.ts'

/** Runs work as a span of the current trace. */
export type Trace = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

export type Log = {
  debug(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** What a module is opened with; `Settings` are those of the shop's settings that it reads. */
export type ModuleContext<Settings> = {
  db: Database
  settings: Settings
  counters: CounterStore
  log: Log
  /** Whether the demo is loaded and open. */
  isDemo: boolean
  trace?: Trace | undefined
}

/**
 * Work that is done again and again. When the signal is given, the shop closes: the run ends after
 * the unit of work that it is doing.
 */
export type Job = { name: string; everyMs: number; run: (closing: AbortSignal) => Promise<unknown> }

export type OpenedModule = {
  /** Its contracts, each with its handlers. */
  calls: Served[]
  /** Finds out whose a token is; one module has it. */
  identify?: Identify
  /** Routes that are no declared calls. */
  addRoutes?: ((api: FastifyInstance) => void) | undefined
  /** Background jobs. Several processes may run them: a job takes rows of its own. */
  jobs?: Job[]
  /** Settings that pages know of. */
  pageSettings?: Partial<ShopSettings>
  /** Lines for whoever starts the shop. */
  startupLines?: string[]
}

/** A gauge of the metrics, read from the database with each scrape: its value by state. */
export type DatabaseGauge = {
  name: string
  help: string
  count: (db: Database) => Promise<Record<string, number>>
}

/** The query of a URL, decoded, in its order. */
export type Query = [name: string, value: string][]

/** How the page cache tells answers apart, where the schema of the query does not say it all. */
export type CacheKeyRule = {
  /** The path of the call, as declared. */
  path: string
  /** The canonical query of a valid one; null where it is ambiguous or invalid. */
  canonicalQuery?: (query: Query) => Query | null
  /** The media type that a client with this Accept header gets. */
  typeFor?: (accept: string | undefined) => string
}

/** What a command of the shop's owner (`npm run shop`) works on; `input` is a file, where it reads one. */
export type CommandContext = { db: Database; input: Readable }

/** What the doctor knows of the shop before it examines a domain. */
export type Examination = {
  isDemo: boolean
  /** What in the settings says that others reach the shop, as the end of a sentence; null where nothing does. */
  signOfRealShop: string | null
}

/** `Settings` are the settings of the shop that the module reads. */
export type DomainModule<Settings = object> = {
  /** Opens the module in a process that serves the shop, once. */
  open: (context: ModuleContext<Settings>) => OpenedModule | Promise<OpenedModule>
  gauges?: DatabaseGauge[]
  cacheKeys?: CacheKeyRule[]
  /** What `npm run shop -- doctor` says of the domain; changes nothing, throws nothing. */
  examine?: (settings: Settings, shop: Examination) => Promise<Finding[]>
}
