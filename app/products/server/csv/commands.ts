/** Command-line commands on products. */
import type { ImportOptions, ImportStep } from '#app/products/admin-contract.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import type { CommandContext } from '#app/shared/server/domain-module.ts'
import { stepLines } from '#app/shared/server/step-lines.ts'
import { saveUpload } from '#app/shared/server/upload.ts'
import { runImport } from './api.ts'
import { exportProducts } from './columns.ts'

export const productCommands = {
  exportProducts: ({ db }: CommandContext, _options: object) => exportProducts(db),
  /** The input is the file; the output is lines of JSON, as the API answers them. */
  importProducts: ({ db, input }: CommandContext, options: ImportOptions) =>
    stepLines<ImportStep>(async (sendStep) => {
      const { path, remove } = await saveUpload(input, Number.POSITIVE_INFINITY)
      return runImport(db, OWNER, { ...options, path }, sendStep).finally(remove)
    }),
}
