import { diskFull } from './disk-full.ts'
import type { Fault } from './fault.ts'
import { killOneOfTwo, killOnPGlite, killOnPostgres } from './kill.ts'
import { databaseKilled } from './kill-database.ts'
import { badProvider } from './provider-faults.ts'
import { rushForLastPieces } from './rush.ts'

/** All faults, in the order in which they are injected. */
export const FAULTS: Fault[] = [
  killOnPostgres,
  killOneOfTwo,
  databaseKilled,
  killOnPGlite,
  diskFull,
  rushForLastPieces,
  badProvider,
]
