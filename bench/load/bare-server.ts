/** The baseline: a process that only sends the same bytes with the same headers. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { LoadRequest } from './connection.ts'

type Sent = { headers: string[]; bytes: Buffer }

/** Headers that Node writes itself, and those of chunking. */
const OWN = ['date', 'connection', 'keep-alive', 'transfer-encoding']
const HEADERS = { accept: 'image/avif,image/webp,*/*', 'accept-encoding': 'gzip, deflate, br' }
const JSON_TYPE = { 'content-type': 'application/json' }

async function copy(address: string, { method = 'GET', path, body }: LoadRequest): Promise<Sent> {
  const headers = { ...HEADERS, ...(body && JSON_TYPE) }
  const asking = request(address + path, { method, headers })
  asking.end(body && JSON.stringify(body))
  const [answer]: IncomingMessage[] = await once(asking, 'response')
  if (!answer) throw new Error('There is no answer.')
  const { rawHeaders } = answer
  const kept = rawHeaders.filter((_, at) => {
    const name = rawHeaders[at - (at % 2)] ?? ''
    return !OWN.includes(name.toLowerCase())
  })
  const bytes = await buffer(answer)
  const isSized = answer.headers['content-length'] !== undefined
  return { headers: isSized ? kept : [...kept, 'Content-Length', String(bytes.length)], bytes }
}

process.once('message', async ({ address, ask }: { address: string; ask: LoadRequest }) => {
  const { headers, bytes } = await copy(address, ask)
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
