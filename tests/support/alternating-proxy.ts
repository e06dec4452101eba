import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

/** A proxy that sends each request to the next of these shops. Headers stay as they are. */
export async function openAlternatingProxy(addresses: string[]) {
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    const address = addresses[turn++ % addresses.length] ?? ''
    const forwarded = request(address + url, { method, headers, agent: false })
    // an end of either side ends the other
    forwarded.once('error', () => outgoing.destroy())
    outgoing.once('close', () => outgoing.writableFinished || forwarded.destroy())
    forwarded.once('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders)
      pipeline(answer, outgoing, () => {})
    })
    pipeline(incoming, forwarded, () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
