/**
 * Preloaded into the shop of the journeys (`node --import`). That shop takes only test payments,
 * and no other process can open its embedded database, so orders paid with money are inserted
 * through a socket.
 */
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { addOrder } from './orders.ts'

export type MoneyOrder = { buyer: Parameters<typeof addOrder>[1]; lines: Line[] }
type Line = NonNullable<NonNullable<Parameters<typeof addOrder>[2]>['lines']>[number]

/** The database that was opened last: the shop opens it anew after its migrations. */
let opened: PGlite | undefined

function listen(socket: string) {
  const server = createServer(async (request, response) => {
    const { buyer, lines } = (await json(request)) as MoneyOrder
    if (!opened) throw new Error('The shop has no database.')
    // waits for the shop's transactions, as PGlite has one session
    const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite: opened }) })
    await addOrder(db, buyer, { lines })
    response.end()
  })
  server.listen(socket).unref()
}

const create = PGlite.create.bind(PGlite)
const { MONEY_ORDERS_SOCKET: socket } = process.env
Object.assign(PGlite, {
  async create(options: PGliteOptions | string) {
    // a child process creates the files, and is given a path
    if (typeof options === 'string') return create(options)
    const isFirst = opened === undefined
    opened = await create(options)
    if (socket && isFirst) listen(socket)
    return opened
  },
})
