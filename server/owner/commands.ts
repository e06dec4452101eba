import { PassThrough, type Readable } from 'node:stream'
import { closeAccountByEmail } from '#app/accounts/server/privacy/close-account.ts'
import { personalDataByEmail } from '#app/accounts/server/privacy/personal-data.ts'
import { openAccount, replacePassword } from '#app/accounts/server/service.ts'
import { exportOrders } from '#app/orders/server/csv/export.ts'
import type { ImportOptions } from '#app/products/admin-contract.ts'
import { exportProducts } from '#app/products/server/csv/export.ts'
import { importProducts } from '#app/products/server/csv/import.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import { saveUpload } from '#app/shared/server/upload.ts'
import type { OpenDatabase } from '#db/connect.ts'
import { dumpEmbedded } from '#db/embedded.ts'
import type { Config } from '../config.ts'
import { examineOpenDatabase } from '../doctor/database.ts'

type Email = { email: string }
type NewAdmin = Parameters<typeof openAccount>[1]

/** What each command is told, apart from its input. */
export type CommandOptions = {
  createAdmin: NewAdmin
  resetPassword: Email & { newPassword: string }
  exportAccount: Email
  closeAccount: Email & { withOpenOrders?: boolean }
  exportProducts: object
  exportOrders: object
  /** Its input is the file; its output is lines of JSON, the last one an `ImportOutcome`. */
  importProducts: ImportOptions
  examineDatabase: { config: Config }
  backup: object
}

export type CommandName = keyof CommandOptions
type CommandOutput = AsyncIterable<string | Uint8Array>
type Context = { opened: OpenDatabase; input: Readable }

export type ImportProgress = { rows: number; of?: number | undefined }
export type ImportOutcome = Awaited<ReturnType<typeof importProducts>>

/** Runs the import and writes its progress and outcome, each as a line of JSON. */
async function writeImport({ opened, input }: Context, options: ImportOptions, out: PassThrough) {
  const write = (line: ImportProgress | ImportOutcome) => {
    if (out.destroyed) throw new Error('The command line has gone away.')
    out.write(`${JSON.stringify(line)}\n`)
  }
  const { path, remove } = await saveUpload(input, Number.POSITIVE_INFINITY)
  try {
    const progress = (rows: number, of?: number) => write({ rows, of })
    write(await importProducts(opened.db, OWNER, { ...options, path, progress }))
  } finally {
    await remove()
  }
}

type Commands = {
  [Name in CommandName]: (context: Context, options: CommandOptions[Name]) => CommandOutput
}

/** The commands of the shop's owner that need its database, by name. */
export const COMMANDS: Commands = {
  async *createAdmin({ opened }, account) {
    const { email } = await openAccount(opened.db, account, { admin: true })
    yield email
  },
  async *resetPassword({ opened }, account) {
    await replacePassword(opened.db, account)
    yield account.email
  },
  async *exportAccount({ opened }, { email }) {
    yield* await personalDataByEmail(opened.db, email)
  },
  async *closeAccount({ opened }, closing) {
    await closeAccountByEmail(opened.db, closing)
    yield closing.email
  },
  exportProducts: ({ opened }) => exportProducts(opened.db),
  exportOrders: ({ opened }) => exportOrders(opened.db),
  importProducts(context, options) {
    const out = new PassThrough()
    writeImport(context, options, out).then(
      () => out.end(),
      (error) => out.destroy(error),
    )
    return out
  },
  async *examineDatabase({ opened }, { config }) {
    yield JSON.stringify(await examineOpenDatabase(config, opened))
  },
  async *backup({ opened }) {
    if (!opened.pglite) throw new Error('pg_dump backs up a database on a server.')
    yield* await dumpEmbedded(opened.pglite)
  },
}

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)
