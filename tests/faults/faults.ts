import { clockOnPGlite, clockOnPostgres } from './clock.ts'
import { databaseKilled } from './database-gone.ts'
import { diskFull } from './disk-full.ts'
import type { Fault } from './fault.ts'
import { killOnPGlite, killOnPostgres } from './kill.ts'
import { promises } from './promises.ts'
import { badAnswers, badRefunds, badReports } from './provider-faults.ts'
import { rollingRestart } from './rolling-restart.ts'
import { rushOnPGlite, rushOnPostgres } from './rush.ts'

/** Everything that is done to the shop, in this order. */
export const FAULTS: Fault[] = [
  ...[killOnPostgres, databaseKilled, rollingRestart, killOnPGlite, diskFull],
  ...[clockOnPGlite, clockOnPostgres, rushOnPGlite, rushOnPostgres],
  ...[badRefunds, promises, badAnswers, badReports],
]
