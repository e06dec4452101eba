import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a database server that can be cut, or go silent, as a network does. */
export type DatabaseProxy = {
  url: string
  /** Ends every connection, and refuses new ones. */
  cut: () => Promise<void>
  /** From now on nothing comes through, and nobody says so. */
  silence: () => void
  /** Lets everything through again; what was silenced is lost. */
  heal: () => Promise<void>
  close: () => Promise<void>
}

export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { hostname, port: target } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let silent = false
  const server = createServer((near) => {
    const far = connect(Number(target), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => silent || to.write(bytes))
      from.on('error', () => {})
      from.once('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const cut = async () => {
    const closed = server.listening && once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const port = await listen(0)
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    cut,
    silence: () => {
      silent = true
    },
    heal: async () => {
      silent = false
      for (const socket of sockets) socket.destroy()
      if (!server.listening) await listen(port)
    },
    close: cut,
  }
}
