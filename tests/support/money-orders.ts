/**
 * Preloaded into the shop of the journeys (`node --import`). That shop takes only test payments,
 * and no other process can open its embedded database, so orders paid with money are inserted
 * through a socket.
 */
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { addMoneyOrder, type MoneyOrder } from './add-money-order.ts'

function listen(pglite: PGlite, socket: string) {
  // waits for the shop's transactions, as PGlite has one session
  const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) })
  const server = createServer(async (request, response) => {
    await addMoneyOrder(db, (await json(request)) as MoneyOrder)
    response.end()
  })
  // left by a process that was killed
  rmSync(socket, { force: true })
  server.listen(socket).unref()
}

const create = PGlite.create.bind(PGlite)
const { MONEY_ORDERS_SOCKET: socket } = process.env
Object.assign(PGlite, {
  async create(options: PGliteOptions | string) {
    if (typeof options === 'string') return create(options)
    const pglite = await create(options)
    if (socket) listen(pglite, socket)
    return pglite
  },
})
