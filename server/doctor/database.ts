import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { lookOver } from '#db/look-over.ts'
import { isMigrated } from '#db/migrate.ts'
import type { Config } from '../config.ts'
import { compareClocks } from './clock.ts'
import { examineDemo, isDemo, willBeDemo } from './demo.ts'
import { type Finding, good, odd, reason, wrong } from './finding.ts'
import { examineProcesses } from './processes.ts'

const OLDEST = 150_000

/** The findings about the database, and whether the shop is a demo. */
type Examined = { findings: Finding[]; isDemo: boolean }

const unusable = (finding: Finding): Examined => ({ findings: [finding], isDemo: false })

async function examineOpen(config: Config, { db }: OpenDatabase): Promise<Examined> {
  const asked = Date.now()
  const { version, versionNumber, now, sizeMb, connections } = await lookOver(db)
  const answered = Date.now()
  const kind = `PostgreSQL ${version}, ${sizeMb} MB, answers in ${answered - asked} ms`
  const isDone = await isMigrated(db).catch(() => false)
  const findings = [
    versionNumber < OLDEST
      ? wrong('Database', kind, 'Update PostgreSQL to 15 or newer.')
      : good('Database', kind),
    isDone
      ? good('Migrations', 'all are done')
      : odd(
          'Migrations',
          'some are not done',
          'The next start of the shop does them. Take a backup before.',
        ),
    compareClocks('the database', now, [asked, answered]),
    ...examineProcesses(config, connections),
    ...(isDone ? await examineDemo(config, db) : []),
  ]
  return { findings, isDemo: await isDemo(config, db) }
}

const isNew = ({ DATABASE_URL, DATA_DIR }: Config) =>
  !DATABASE_URL && !existsSync(join(DATA_DIR, 'pgdata'))

/** Examines the shop's database, through the door where the shop is running; changes nothing. */
export async function examineDatabase(config: Config): Promise<Examined> {
  if (isNew(config)) {
    const finding = good('Database', 'there is none yet; the first start makes an embedded one')
    return { findings: [finding], isDemo: willBeDemo(config) }
  }
  let opened: OpenDatabase
  try {
    opened = await openDatabase({
      databaseUrl: config.DATABASE_URL,
      ...{ dataDir: config.DATA_DIR, throughDoor: true },
    })
  } catch (error) {
    const advice = config.DATABASE_URL
      ? 'Check that PostgreSQL runs, and the name, password and host in DATABASE_URL.'
      : 'Stop whatever else uses that folder.'
    return unusable(wrong('Database', reason(error), advice))
  }
  try {
    return await examineOpen(config, opened)
  } catch (error) {
    return unusable(wrong('Database', reason(error), "Look into the database server's own log."))
  } finally {
    await opened.close()
  }
}
