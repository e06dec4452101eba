import type { Trial } from './fault.ts'
import { embedded, postgresServer } from './stage/database.ts'

/** Gets ready what faults are tried on. */
export async function openTrial(how: Pick<Trial, 'rounds' | 'dice'>) {
  const [files, server] = [embedded(), await postgresServer()]
  const trial: Trial = { ...how, embedded: files, server }
  const close = async () => {
    await files.close()
    await server?.close()
  }
  return { trial, close }
}
