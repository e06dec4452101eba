import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { examineDatabase } from './database.ts'
import { examineFiles } from './files.ts'
import { type Finding, good, reason, wrong } from './finding.ts'
import { examinePayments } from './payments.ts'
import { examineProxy } from './proxy.ts'

const examineWith = async (config: Config, settingsFile: string): Promise<Finding[]> =>
  [
    [good('Settings', 'all can be understood'), examineProxy(config)],
    await examineFiles(config.DATA_DIR, [settingsFile, join(config.DATA_DIR, 'sandbox-secret')]),
    await examineDatabase(config),
    await examinePayments(config),
  ].flat()

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
