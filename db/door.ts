import { once } from 'node:events'
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Schema } from './schema.ts'
import type { Turns } from './turns.ts'

const PORT = 5432
/** In a transaction the shop waits for the guest: one that says nothing for so long must leave. */
const PATIENCE_MS = 30_000
/** Who has waited for a guest for so long is told to come again. */
const LONGEST_WAIT_MS = 5000
const STARTUP = 0x30000
const WITHOUT_ENCRYPTION = 'N'

/** Nobody but the owner of the folder gets as far as the socket in it. */
const roomOf = (folder: string) => resolve(folder, 'door')
const socketOf = (folder: string) => join(roomOf(folder), `.s.PGSQL.${PORT}`)

/** How a client of PostgreSQL comes in; one at a time, as there is one session. */
export const guestOf = (folder: string): pg.PoolConfig => ({
  ...{ host: roomOf(folder), port: PORT, user: 'owner', database: 'shop', max: 1 },
})

/** Whether a running shop has its door open in this folder. */
export const isDoorOpen = (folder: string): Promise<boolean> =>
  new Promise((tell) => {
    const socket = connect(socketOf(folder))
    socket.once('connect', () => tell(true)).once('error', () => tell(false))
    socket.once('connect', () => socket.destroy())
  })

const OWNERS_ONLY = 0o700

/**
 * Makes the folder in which the socket is, for its owner alone. Throws a sentence when it is
 * somebody else's, or leads elsewhere.
 */
function makeRoom(folder: string) {
  const room = roomOf(folder)
  mkdirSync(room, { recursive: true, mode: OWNERS_ONLY })
  const found = lstatSync(room)
  const isOurs = !process.getuid || found.uid === process.getuid()
  if (!found.isDirectory() || !isOurs)
    throw new Error(`${room} is not a folder of this user: remove it, and start the shop anew.`)
  // a copy, or a hand, may have opened it
  chmodSync(room, OWNERS_ONLY)
}

function message(type: string, body: Buffer) {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + length.length)
  return Buffer.concat([Buffer.from(type), length, body])
}

const setting = (name: string, value: string) => message('S', Buffer.from(`${name}\0${value}\0`))

/** Whoever got here may come in: no password, and these settings. */
const WELCOME = Buffer.concat([
  message('R', Buffer.alloc(4)),
  setting('server_version', '17.0'),
  setting('client_encoding', 'UTF8'),
  setting('DateStyle', 'ISO, MDY'),
  setting('standard_conforming_strings', 'on'),
  message('K', Buffer.alloc(8)),
  message('Z', Buffer.from('I')),
])
const ROLLBACK = message('Q', Buffer.from('rollback\0'))

/** The messages of a guest, each whole; those before the start have no letter in front. */
async function* messagesOf(socket: Socket): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let letter = 0
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= letter + 4) {
      const end = letter + rest.readInt32BE(letter)
      if (rest.length < end) break
      const whole = rest.subarray(0, end)
      rest = rest.subarray(end)
      if (letter === 0 && whole.readInt32BE(4) === STARTUP) letter = 1
      yield whole
    }
  }
}

type House = {
  /** Waits until nobody else uses the database, and answers how to give it back. */
  enter: () => Promise<() => void>
  run: (messages: Buffer) => Promise<Uint8Array>
}

/** Ends that a guest's messages can have: a statement, a bundle of them, a farewell. */
const isEnd = (whole: Buffer) => whole[0] === 0x51 || whole[0] === 0x53
const isFarewell = (whole: Buffer) => whole[0] === 0x58
const isAtRest = (reply: Uint8Array) => reply.at(-1) === 0x49

/** Serves a guest. What it says is passed on in bundles, so that nobody comes between its parts. */
async function attend(socket: Socket, { enter, run }: House) {
  let leave: (() => void) | undefined
  let bundle: Buffer[] = []
  let isIn = false
  socket.setTimeout(PATIENCE_MS, () => leave && socket.destroy())
  try {
    for await (const whole of messagesOf(socket)) {
      if (!isIn) {
        isIn = whole.readInt32BE(4) === STARTUP
        socket.write(isIn ? WELCOME : WITHOUT_ENCRYPTION)
        continue
      }
      if (isFarewell(whole)) break
      bundle.push(whole)
      if (!isEnd(whole)) continue
      leave ??= await enter()
      const reply = await run(Buffer.concat(bundle))
      bundle = []
      if (isAtRest(reply)) {
        leave()
        leave = undefined
      }
      if (!socket.write(reply)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
    }
  } finally {
    if (leave) await run(ROLLBACK).finally(leave)
    socket.destroy()
  }
}

/**
 * Opens a door into the embedded database of a running shop, for its owner: a socket in the folder
 * that speaks PostgreSQL's protocol. Whoever may use it could read the files of the database, too.
 * Answers how to close it. Throws where the system has no such sockets, the path is too long, or the
 * folder is not its owner's alone.
 */
export async function openDoor(
  { db, pglite, turns }: { db: Kysely<Schema>; pglite: PGlite; turns: Turns },
  folder: string,
): Promise<() => Promise<void>> {
  const enter = () =>
    new Promise<() => void>((come, fail) => {
      db.connection()
        .execute(async () => {
          const late = setTimeout(turns.shut, LONGEST_WAIT_MS)
          await new Promise<void>((leave) => come(leave))
          clearTimeout(late)
          turns.open()
        })
        .catch(fail)
    })
  const run = (messages: Buffer) => pglite.runExclusive(() => pglite.execProtocolRaw(messages))
  const guests = new Map<Socket, Promise<void>>()
  const server = createServer((socket) => {
    // a guest that breaks off hears nothing any more
    const over = attend(socket, { enter, run }).catch(() => {})
    guests.set(
      socket,
      over.then(() => void guests.delete(socket)),
    )
    socket.on('error', () => {})
  })
  makeRoom(folder)
  // of a shop that was killed
  rmSync(socketOf(folder), { force: true })
  server.listen(socketOf(folder))
  await once(server, 'listening')
  return async () => {
    server.close()
    for (const socket of guests.keys()) socket.destroy()
    await Promise.all(guests.values())
  }
}
