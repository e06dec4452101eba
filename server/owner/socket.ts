/**
 * The owner's socket. The embedded database has one session, in the process of the shop. While the
 * shop is open, the command line sends its commands over HTTP on a Unix socket in DATA_DIR: `POST
 * /NAME`, with options as JSON in the header `options`, and input and output as bodies. The socket
 * is protected by file permissions, like the files of the database.
 */
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { reason } from '#app/shared/server/doctor/finding.ts'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import type { Config } from '../config.ts'
import { type CommandName, type CommandOptions, isCommandName, startCommand } from './commands.ts'

const OWNER_ONLY = 0o600
const NOT_FOUND = 404
const FAILED = 500

const socketIn = (dataDir: string) => resolve(join(dataDir, 'owner.sock'))

/** Runs a command for the command line. An error after the first output breaks the connection. */
async function serve(opened: OpenDatabase, input: IncomingMessage, response: ServerResponse) {
  const name = input.url?.slice(1) ?? ''
  if (!isCommandName(name)) {
    response.writeHead(NOT_FOUND).end('The running shop is another version: restart it.')
    return
  }
  try {
    const options = JSON.parse(decodeURIComponent(String(input.headers.options)))
    const output = Readable.from(startCommand(name, { opened, input }, options))
    // headers are sent with the first output: until then a failure can still be answered
    await once(output, 'readable')
    await pipeline(output, response)
  } catch (error) {
    if (response.headersSent) response.destroy()
    else response.writeHead(FAILED).end(reason(error))
  }
}

/**
 * Opens the socket of the shop in this folder, which this process has locked; resolves with a
 * function that closes it. Throws where Unix sockets are not supported, or the path is too long.
 */
export async function openOwnerSocket(
  opened: OpenDatabase,
  dataDir: string,
): Promise<() => Promise<void>> {
  const running = new Set<Promise<void>>()
  const server = createServer({ requestTimeout: 0 }, (input, response) => {
    const command = serve(opened, input, response).finally(() => running.delete(command))
    running.add(command)
  })
  // left behind by a shop that was killed
  rmSync(socketIn(dataDir), { force: true })
  server.listen(socketIn(dataDir))
  await once(server, 'listening')
  chmodSync(socketIn(dataDir), OWNER_ONLY)
  return async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await Promise.all([closed, ...running])
  }
}

/** Whether a running shop has its socket open in this folder. */
const isShopOpen = (dataDir: string): Promise<boolean> =>
  new Promise((answer) => {
    const socket = connect(socketIn(dataDir))
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
    socket.once('connect', () => socket.destroy())
  })

function rethrowEnded(cause: unknown): never {
  const sentence =
    'The shop has ended before the command was done. Run the command again, also while the shop is stopped.'
  throw new Error(sentence, { cause })
}

/** The output of a command; an error when the shop ends before it is whole. */
async function* readWhole(response: IncomingMessage) {
  try {
    yield* response
  } catch (error) {
    rethrowEnded(error)
  }
}

/** Runs a command in the running shop. Throws the command's error message. */
export async function callShop<Name extends CommandName>(
  dataDir: string,
  name: Name,
  options: CommandOptions[Name],
  input: Readable,
): Promise<Readable> {
  const headers = { options: encodeURIComponent(JSON.stringify(options)) }
  const call = request({ socketPath: socketIn(dataDir), path: `/${name}`, method: 'POST', headers })
  const answered = once(call, 'response') as Promise<[IncomingMessage]>
  // a command that fails early does not read its input
  pipeline(input, call).catch(() => {})
  const [response] = await answered.catch(rethrowEnded)
  if (response.statusCode === 200) return Readable.from(readWhole(response))
  throw new Error(await text(response))
}

/** Commands that run without migrations, also on the database of an older version. */
const WITHOUT_MIGRATION: CommandName[] = ['examineDatabase', 'backup']

/**
 * Runs an owner's command on the database of these settings, and resolves with its output: in this
 * process, or in a running shop that has the embedded database open. Throws a user-readable message
 * when the command fails, also while the output is read.
 */
export async function runCommand<Name extends CommandName>(
  config: Config,
  name: Name,
  options: CommandOptions[Name],
  input = Readable.from([]),
): Promise<Readable> {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = config
  if (!databaseUrl && (await isShopOpen(dataDir))) return callShop(dataDir, name, options, input)
  async function* runHere() {
    const opened = await openDatabase({ databaseUrl, dataDir })
    try {
      if (!WITHOUT_MIGRATION.includes(name)) await migrate(opened.db)
      yield* startCommand(name, { opened, input }, options)
    } finally {
      await opened.close()
    }
  }
  return Readable.from(runHere())
}
