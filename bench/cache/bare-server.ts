/** The limit: a process that sends the same bytes with the same headers, and does nothing else. */
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

type Sent = { headers: string[]; bytes: Buffer }

/** Node writes these by itself. */
const OWN = ['date', 'connection', 'keep-alive']
const HEADERS = { accept: 'image/avif,image/webp,*/*', 'accept-encoding': 'gzip, deflate, br' }

async function copy(address: string): Promise<Sent> {
  const request = get(address, { headers: HEADERS })
  const [answer]: IncomingMessage[] = await once(request, 'response')
  if (!answer) throw new Error('There is no answer.')
  const { rawHeaders } = answer
  const headers = rawHeaders.filter((_, at) => {
    const name = rawHeaders[at - (at % 2)] ?? ''
    return !OWN.includes(name.toLowerCase())
  })
  return { headers, bytes: await buffer(answer) }
}

process.once('message', async ({ address, path }: { address: string; path: string }) => {
  const { headers, bytes } = await copy(address + path)
  const server = createServer((_request, response) => {
    response.writeHead(200, headers)
    response.end(bytes)
  })
  server.keepAliveTimeout = 72_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  process.send?.(typeof at === 'object' && at ? `http://127.0.0.1:${at.port}` : '')
})
