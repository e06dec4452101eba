import { modules } from '#app/modules.ts'
import { compareClocks } from '#app/shared/server/doctor/clock.ts'
import { type Finding, ok, problem, reason, warning } from '#app/shared/server/doctor/finding.ts'
import { MAX_VIOLATIONS, selectViolations } from '#app/shared/server/store.ts'
import { readSchemaState, type SchemaState } from '#db/releases/schema-state.ts'
import type { Database } from '#db/schema.ts'
import { readServerInfo } from '#db/server-info.ts'
import { isDemoLoaded } from '#demo/load-demo.ts'
import { selectPublishedAccounts } from '#demo/lock-accounts.ts'
import type { Config } from '../config.ts'
import { signOfRealShop } from '../demo/real-shop.ts'
import { examineStoredSettings } from '../stored-settings.ts'
import { examineProcesses } from './process.ts'

const OLDEST = 150_000

/** The findings about the database, and whether the shop is a demo. */
export type Examined = {
  findings: Finding[]
  isDemo: boolean
  /** The settings with the stored ones; undefined where these cannot be read. */
  config?: Config
}

export const unusable = (finding: Finding): Examined => ({ findings: [finding], isDemo: false })

const CLOSE_DEMO =
  'Set DEMO=off and start the shop again, which locks the demo accounts; make an admin with: npm run shop -- admin create'

/** Checks whether the published logins work, and whether they should. */
async function examineDemo(config: Config, db: Database): Promise<Finding[]> {
  const published = await selectPublishedAccounts(db)
  if (published.length === 0) return []
  const found = `the published demo logins work for ${published.join(' and ')}`
  const sign = signOfRealShop(config) ?? (config.DEMO === 'off' ? 'DEMO is off' : null)
  if (sign) return [problem('Demo', `${found}, and ${sign}`, CLOSE_DEMO)]
  const advice = `Before others reach it: ${CLOSE_DEMO}`
  return [warning('Demo', `${found}, at this machine only`, advice)]
}

/** Whether the shop is a demo, which may use test payments. */
const isDemo = async ({ DEMO }: Config, db: Database): Promise<boolean> =>
  DEMO !== 'off' && (await isDemoLoaded(db).catch(() => false))

/** Whether the first start will load the demo. */
export const willBeDemo = (config: Config): boolean =>
  config.DEMO !== 'off' && signOfRealShop(config) === null

/** The number of rows that a finding names. */
const NAMED = 10

const RESTORE =
  'Compare these rows with the audit log and the payment provider before you change anything; a restored backup shows when they were still right.'

function foundIn(violation: string, ids: string[]): string {
  const count = ids.length === MAX_VIOLATIONS ? `${ids.length} or more` : ids.length
  const more = ids.length > NAMED ? ', …' : ''
  return `${violation} (${count}): ${ids.slice(0, NAMED).join(', ')}${more}`
}

/** Checks every invariant of the domains. */
async function examineInvariants(db: Database): Promise<Finding[]> {
  const invariants = modules.flatMap((module) => module.invariants ?? [])
  const findings: Finding[] = []
  // one after the other: each reads whole tables
  for (const invariant of invariants) {
    const { name, violation } = invariant
    const ids = await selectViolations(db, invariant)
    if (ids.length > 0)
      findings.push(problem(`Invariant ${name}`, foundIn(violation, ids), RESTORE))
  }
  if (findings.length > 0) return findings
  return [ok('Invariants', `all ${invariants.length} hold`)]
}

/** Examines the data of the shop, which is migrated. */
async function examineData(config: Config, db: Database, demo: boolean): Promise<Finding[]> {
  const domains = demo ? [] : modules
  const found = await Promise.all(domains.map((domain) => domain.examineData?.(db, config) ?? []))
  return [...(await examineDemo(config, db)), ...found.flat(), ...(await examineInvariants(db))]
}

function findingOf({ kind, found, advice }: SchemaState): Finding {
  if (kind === 'up to date') return ok('Migrations', found)
  return (kind === 'refused' ? problem : warning)('Migrations', found, advice)
}

async function examine(config: Config, db: Database): Promise<Examined> {
  const requestedAt = Date.now()
  const { version, versionNumber, now, sizeMb, connections } = await readServerInfo(db)
  const answeredAt = Date.now()
  const kind = `PostgreSQL ${version}, ${sizeMb} MB, answers in ${answeredAt - requestedAt} ms`
  const schema = await readSchemaState(db)
  const isCurrent = schema.kind === 'up to date'
  const demo = await isDemo(config, db)
  const stored = isCurrent ? await examineStoredSettings(config, db) : { config, findings: [] }
  const findings = [
    versionNumber < OLDEST
      ? problem('Database', kind, 'Update PostgreSQL to 15 or newer.')
      : ok('Database', kind),
    findingOf(schema),
    compareClocks('the database', now, [requestedAt, answeredAt]),
    ...examineProcesses(config, connections),
    ...stored.findings,
    ...(isCurrent ? await examineData(stored.config, db, demo) : []),
  ]
  return { findings, isDemo: demo, config: stored.config }
}

/** Examines the shop's database. Changes nothing and does not throw. */
export const examineOpenDatabase = (config: Config, db: Database): Promise<Examined> =>
  examine(config, db).catch((error) =>
    unusable(problem('Database', reason(error), "Look into the database server's own log.")),
  )
