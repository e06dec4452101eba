import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the embedded database's files. */
export const pgdataIn = (folder: string) => join(folder, 'pgdata')

/** Whether there is an embedded database in the folder. */
export const hasPgdata = (folder: string) => existsSync(pgdataIn(folder))
