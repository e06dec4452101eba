import { modules } from '#app/modules.ts'
import { compareClocks } from '#app/shared/server/doctor/clock.ts'
import { type Finding, ok, problem, reason, warning } from '#app/shared/server/doctor/finding.ts'
import type { OpenDatabase } from '#db/connect.ts'
import { readSchemaState, type SchemaState } from '#db/releases/schema-state.ts'
import type { Database } from '#db/schema.ts'
import { readServerInfo } from '#db/server-info.ts'
import type { Config } from '../config.ts'
import { examineDemo, isDemo } from './demo.ts'
import { examineInvariants } from './invariants.ts'
import { examineProcesses } from './processes.ts'

const OLDEST = 150_000

/** The findings about the database, and whether the shop is a demo. */
export type Examined = { findings: Finding[]; isDemo: boolean }

export const unusable = (finding: Finding): Examined => ({ findings: [finding], isDemo: false })

/** Examines the data of the shop, which is migrated. */
async function examineData(config: Config, db: Database, demo: boolean): Promise<Finding[]> {
  const domains = demo ? [] : modules
  const found = await Promise.all(
    domains.map(({ examineData: examined }) => examined?.(db, config) ?? []),
  )
  return [...(await examineDemo(config, db)), ...found.flat(), ...(await examineInvariants(db))]
}

function findingOf({ kind, found, advice }: SchemaState): Finding {
  if (kind === 'up to date') return ok('Migrations', found)
  return kind === 'refused'
    ? problem('Migrations', found, advice)
    : warning('Migrations', found, advice)
}

async function examine(config: Config, { db }: Pick<OpenDatabase, 'db'>): Promise<Examined> {
  const requestedAt = Date.now()
  const { version, versionNumber, now, sizeMb, connections } = await readServerInfo(db)
  const answeredAt = Date.now()
  const kind = `PostgreSQL ${version}, ${sizeMb} MB, answers in ${answeredAt - requestedAt} ms`
  const schema = await readSchemaState(db)
  const isDone = schema.kind === 'up to date'
  const demo = await isDemo(config, db)
  const findings = [
    versionNumber < OLDEST
      ? problem('Database', kind, 'Update PostgreSQL to 15 or newer.')
      : ok('Database', kind),
    findingOf(schema),
    compareClocks('the database', now, [requestedAt, answeredAt]),
    ...examineProcesses(config, connections),
    ...(isDone ? await examineData(config, db, demo) : []),
  ]
  return { findings, isDemo: demo }
}

/** Examines the shop's database. Changes nothing and does not throw. */
export const examineOpenDatabase = (
  config: Config,
  opened: Pick<OpenDatabase, 'db'>,
): Promise<Examined> =>
  examine(config, opened).catch((error) =>
    unusable(problem('Database', reason(error), "Look into the database server's own log.")),
  )
