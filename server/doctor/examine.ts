import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { examineDatabase } from './database.ts'
import { examineFiles } from './files.ts'
import { type Finding, good, reason, wrong } from './finding.ts'
import { examinePayments } from './payments.ts'
import { examineProxy } from './proxy.ts'

async function examineWith(config: Config, settingsFile: string): Promise<Finding[]> {
  const secrets = [settingsFile, join(config.DATA_DIR, 'sandbox-secret')]
  const files = await examineFiles(config.DATA_DIR, secrets)
  const database = await examineDatabase(config)
  return [
    good('Settings', 'all can be understood'),
    examineProxy(config),
    ...files,
    ...database.findings,
    ...(await examinePayments(config, database)),
  ]
}

/** Examines everything that the shop needs, one after the other; changes nothing, throws nothing. */
export async function examine(
  env: NodeJS.ProcessEnv | undefined,
  settingsFile: string,
): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(env)
  } catch (error) {
    const advice = '.env.example explains every setting.'
    return [wrong('Settings', reason(error), advice)]
  }
  return examineWith(config, settingsFile)
}
