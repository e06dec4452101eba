import {
  type ImportOptions,
  type ImportReport,
  type ImportStep,
  MAX_CSV_BYTES,
  type productCsvCalls,
} from '#app/products/admin-contract.ts'
import { type Actor, admin } from '#app/shared/server/actor/actor.ts'
import { failureBody } from '#app/shared/server/errors.ts'
import { Failure } from '#app/shared/server/failure.ts'
import { saveUpload } from '#app/shared/server/input/upload.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { sendFile } from '#app/shared/server/send-file.ts'
import { type SendStep, sendStepLines } from '#app/shared/server/step-lines.ts'
import type { Database } from '#db/schema.ts'
import { exportProducts } from './columns.ts'
import { checkHeader } from './header.ts'
import { importProducts } from './import.ts'

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** The sentence about the result of an import or of its check. */
function outcomeOf(imported: boolean, report: ImportReport): string {
  const { rows, wrong, created, updated, unchanged, quantities, descriptions } = report
  const wrongRows = `${wrong} of ${counted(rows, 'row')} ${wrong === 1 ? 'is' : 'are'} invalid`
  const right = `${created} new, ${updated} changed, ${unchanged} unchanged`
  const html = counted(descriptions, 'description')
  if (imported) {
    const became = descriptions > 0 ? ` ${html} in HTML became Markdown.` : ''
    const done = `The products are imported: ${right}.${became}`
    return wrong > 0 ? `${done} ${wrongRows} and skipped.` : done
  }
  if (wrong > 0) return `${wrongRows}. Nothing was imported.`
  const stock = quantities > 0 ? ` ${counted(quantities, 'product')} would change quantity.` : ''
  const become = descriptions > 0 ? ` ${html} in HTML would become Markdown.` : ''
  return `All rows are valid: ${right}.${stock}${become} Nothing was imported yet.`
}

/** Imports a file, and sends the progress and the outcome as steps. */
export async function runImport(
  db: Database,
  actor: Actor,
  file: ImportOptions & { path: string; recheckCaller?: () => Promise<void> },
  sendStep: SendStep<ImportStep>,
): Promise<ImportStep> {
  const { imported, report } = await importProducts(db, actor, { ...file, progress: sendStep })
  const success = imported || report.wrong === 0
  return { step: 'done', success, imported, message: outcomeOf(imported, report), report }
}

export const productCsvHandlers = ({ db }: { db: Database }): Handlers<typeof productCsvCalls> => ({
  exportProducts: ({ recheckCaller, reply }) =>
    sendFile(reply, { name: 'products', type: 'csv' }, exportProducts(db), recheckCaller),
  async importProducts({ query, upload, caller, recheckCaller, request, reply }) {
    const { path, remove } = await saveUpload(upload, MAX_CSV_BYTES)
    try {
      await recheckCaller()
      await checkHeader(path)
    } catch (error) {
      await remove()
      throw error
    }
    const file = { ...query, path, recheckCaller }
    const work = (sendStep: SendStep<ImportStep>) =>
      runImport(db, admin(caller), file, sendStep).finally(remove)
    return sendStepLines<ImportStep>(reply, work, (error) => {
      const failure =
        error instanceof Failure ? error : new Failure('internal', 'Something went wrong')
      if (failure !== error) request.log.error({ err: error }, 'import failed')
      return { step: 'failed', ...failureBody(failure, request.id) }
    })
  },
})
