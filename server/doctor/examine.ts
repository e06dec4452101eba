import { text } from 'node:stream/consumers'
import type { Kysely } from 'kysely'
import { modules } from '#app/modules.ts'
import { type Finding, ok, problem, reason, warning } from '#app/shared/server/doctor/finding.ts'
import { hasPgdata } from '#db/data-folder.ts'
import type { Schema } from '#db/schema.ts'
import { type Config, readConfig } from '../config.ts'
import { configFileProblems } from '../config-file.ts'
import { signOfRealShop } from '../demo/real-shop.ts'
import { runCommand } from '../owner/socket.ts'
import { type Examined, examineOpenDatabase, unusable, willBeDemo } from './database.ts'
import { examineFiles } from './files.ts'
import { examineMemory, examineNode, examineProxy } from './process.ts'

/** The file with the settings of `npm start`, in the folder of the shop. */
const SETTINGS_FILE = '.env'

const EXPLAINED = '.env.example explains every setting.'
const CHECK_SERVER = 'Check that PostgreSQL runs, and the name, password and host in DATABASE_URL.'
const STOP_OTHERS = 'Stop whatever else uses that folder.'

/** Examines the database, through the running shop where that has it open. */
async function examineDatabase(config: Config): Promise<Examined> {
  if (!config.DATABASE_URL && !hasPgdata(config.DATA_DIR)) {
    const finding = ok('Database', 'not created yet; the first start creates an embedded one')
    return { findings: [finding], isDemo: willBeDemo(config) }
  }
  try {
    return JSON.parse(await text(await runCommand(config, 'examineDatabase', { config })))
  } catch (error) {
    const advice = config.DATABASE_URL ? CHECK_SERVER : STOP_OTHERS
    return unusable(problem('Database', reason(error), advice))
  }
}

/** Checks the lines of the settings file; the values of the settings are valid. */
function examineSettings(file: string): Finding[] {
  const { errors, warnings } = configFileProblems(file)
  const findings = [
    ...errors.map((found) => problem('Settings', found, EXPLAINED)),
    ...warnings.map((found) => warning('Settings', found, 'Remove it if no program needs it.')),
  ]
  return findings.length > 0 ? findings : [ok('Settings', 'all are valid')]
}

async function examineWith(
  environment: Config,
  settingsFile: string,
  examineDatabase: () => Promise<Examined>,
): Promise<Finding[]> {
  // before the database is opened, which makes them private
  const files = await examineFiles(environment.DATA_DIR, settingsFile)
  const database = await examineDatabase()
  const { config = environment } = database
  const shop = { isDemo: database.isDemo, signOfRealShop: signOfRealShop(config) }
  const domains = await Promise.all(modules.map(({ examine }) => examine?.(config, shop) ?? []))
  return [
    ...examineSettings(settingsFile),
    examineNode(),
    examineMemory(config),
    examineProxy(config),
    ...files,
    ...database.findings,
    ...domains.flat(),
  ]
}

/** Examines the whole installation. Changes nothing and does not throw. */
export async function examine(
  env: NodeJS.ProcessEnv | undefined,
  settingsFile: string,
): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(env)
  } catch (error) {
    return [problem('Settings', reason(error), EXPLAINED)]
  }
  return examineWith(config, settingsFile, () => examineDatabase(config))
}

/** Examines a running shop from inside: its settings, and its open database. */
export const examineRunningShop = (config: Config, db: Kysely<Schema>): Promise<Finding[]> =>
  examineWith(config, SETTINGS_FILE, () => examineOpenDatabase(config, db))
