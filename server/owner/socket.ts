/**
 * The owner's socket. The embedded database has one session, in the process of the shop; while the shop
 * is open, the command line asks it, over HTTP on a Unix socket in DATA_DIR, to run a command: `POST
 * /NAME`, options as JSON in the header `options`, input and output as the bodies. File permissions
 * protect it: whoever may open it may read the files of the database, too.
 */
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { OpenDatabase } from '#db/connect.ts'
import { type CommandName, type CommandOptions, isCommandName, startCommand } from './commands.ts'

const OWNER_ONLY = 0o600
const NOT_FOUND = 404
const FAILED = 500

const socketIn = (dataDir: string) => resolve(join(dataDir, 'owner.sock'))

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

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
    // at its first output, or at its end: until then a failure can still be answered
    await once(output, 'readable')
    await pipeline(output, response)
  } catch (error) {
    if (response.headersSent) response.destroy()
    else response.writeHead(FAILED).end(sentenceOf(error))
  }
}

/**
 * Opens the socket of the shop in this folder, which this process has locked; resolves with how to close
 * it. Throws where the system has no such sockets, or the path is too long.
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
export const isShopOpen = (dataDir: string): Promise<boolean> =>
  new Promise((answer) => {
    const socket = connect(socketIn(dataDir))
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
    socket.once('connect', () => socket.destroy())
  })

/** Has the running shop run a command. Throws the sentence with which the command fails. */
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
  const [response] = await answered
  if (response.statusCode === 200) return response
  throw new Error(await text(response))
}
