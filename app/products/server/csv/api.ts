import {
  type ImportOptions,
  type ImportStep,
  LARGEST_CSV,
  type productCsvCalls,
} from '#app/products/admin-contract.ts'
import { type Actor, admin } from '#app/shared/server/actor/actor.ts'
import { failureBody } from '#app/shared/server/errors.ts'
import { Failure } from '#app/shared/server/failure.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { sendFile } from '#app/shared/server/send-file.ts'
import { type SendStep, stepLines } from '#app/shared/server/step-lines.ts'
import { saveUpload } from '#app/shared/server/upload.ts'
import type { Database } from '#db/schema.ts'
import { exportProducts } from './export.ts'
import { importProducts } from './import.ts'
import { outcomeOf } from './outcome.ts'
import { checkHeader } from './rows.ts'

async function run(
  db: Database,
  actor: Actor,
  file: ImportOptions & { path: string; recheckCaller: () => Promise<void> },
  sendStep: SendStep<ImportStep>,
): Promise<ImportStep> {
  const progress = (rows: number, of?: number) =>
    sendStep(of === undefined ? { step: 'checking', rows } : { step: 'writing', rows, of })
  const { imported, report } = await importProducts(db, actor, { ...file, progress })
  const success = imported || report.wrong === 0
  return { step: 'done', success, imported, message: outcomeOf(imported, report), report }
}

export const productCsvHandlers = ({ db }: { db: Database }): Handlers<typeof productCsvCalls> => ({
  exportProducts: ({ recheckCaller, reply }) =>
    sendFile(reply, { name: 'products', type: 'csv' }, exportProducts(db), recheckCaller),
  async importProducts({ query, upload, caller, recheckCaller, request, reply }) {
    const { path, remove } = await saveUpload(upload, LARGEST_CSV)
    try {
      await recheckCaller()
      await checkHeader(path)
    } catch (error) {
      await remove()
      throw error
    }
    const file = { ...query, path, recheckCaller }
    const work = (sendStep: SendStep<ImportStep>) =>
      run(db, admin(caller), file, sendStep).finally(remove)
    return stepLines<ImportStep>(reply, work, (error) => {
      const failure =
        error instanceof Failure ? error : new Failure('internal', 'Something went wrong')
      if (failure !== error) request.log.error({ err: error }, 'import failed')
      return { step: 'failed', ...failureBody(failure, request.id) }
    })
  },
})
