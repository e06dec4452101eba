import type { Trial } from './fault.ts'
import { embedded, postgresServer } from './stage/database.ts'

/** Gets ready what faults are tried on. */
export async function openTrial({
  workers = 1,
  ...how
}: Pick<Trial, 'rounds' | 'dice'> & Partial<Pick<Trial, 'workers'>>) {
  const [files, server] = [embedded(), await postgresServer(workers)]
  const trial: Trial = { ...how, workers, embedded: files, server }
  const close = async () => {
    await files.close()
    await server?.close()
  }
  return { trial, close }
}
