import { embedded, postgresServer } from './database.ts'
import type { Trial } from './fault.ts'

/** Opens the databases of a trial. */
export async function openTrial({
  workers = 1,
  ...how
}: Pick<Trial, 'rounds' | 'random'> & Partial<Pick<Trial, 'workers'>>) {
  const files = embedded()
  const server = await postgresServer(workers)
  const trial: Trial = { ...how, workers, embedded: files, server }
  const close = async () => {
    await files.close()
    await server?.close()
  }
  return { trial, close }
}
