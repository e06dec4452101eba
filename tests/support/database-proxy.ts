import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy in front of a database server that can cut connections, or stop forwarding. */
export type DatabaseProxy = {
  url: string
  /** Ends every connection, and refuses new ones. */
  cut: () => Promise<void>
  /** Stops forwarding without closing connections. */
  silence: () => void
  /** Forwards again; bytes sent meanwhile are lost. */
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
