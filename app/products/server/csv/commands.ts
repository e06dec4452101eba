/** Command-line commands on products. */
import { PassThrough } from 'node:stream'
import type { ImportOptions } from '#app/products/admin-contract.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import type { CommandContext } from '#app/shared/server/domain-module.ts'
import { saveUpload } from '#app/shared/server/upload.ts'
import { exportProducts } from './columns.ts'
import { importProducts } from './import.ts'

export type ImportProgress = { rows: number; of?: number | undefined }
export type ImportOutcome = Awaited<ReturnType<typeof importProducts>>

/** Runs the import and writes progress and outcome, each as a line of JSON. */
async function writeImport(
  { db, input }: CommandContext,
  options: ImportOptions,
  out: PassThrough,
) {
  const write = (line: ImportProgress | ImportOutcome) => {
    if (out.destroyed) throw new Error('The command line has disconnected.')
    out.write(`${JSON.stringify(line)}\n`)
  }
  const { path, remove } = await saveUpload(input, Number.POSITIVE_INFINITY)
  try {
    const progress = (rows: number, of?: number) => write({ rows, of })
    write(await importProducts(db, OWNER, { ...options, path, progress }))
  } finally {
    await remove()
  }
}

export const productCommands = {
  exportProducts: ({ db }: CommandContext, _options: object) => exportProducts(db),
  /** The input is the file; the output is lines of JSON, the last one an `ImportOutcome`. */
  importProducts(context: CommandContext, options: ImportOptions) {
    const out = new PassThrough()
    writeImport(context, options, out).then(
      () => out.end(),
      (error) => out.destroy(error),
    )
    return out
  },
}
