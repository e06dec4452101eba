/** The bare server: a process that sends the same bytes with the same headers, and does nothing else. */
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type LoadRequest, toAutocannon } from './load.ts'

type Copy = { headers: string[]; bytes: Buffer }

/** Headers that Node writes by itself. */
const OWN = ['date', 'connection', 'keep-alive', 'transfer-encoding']

async function copy(address: string, request: LoadRequest): Promise<Copy> {
  const { method, path, headers, body } = toAutocannon(request)
  const outgoing = httpRequest(address + path, { method, headers })
  outgoing.end(body)
  const [answer]: IncomingMessage[] = await once(outgoing, 'response')
  if (!answer) throw new Error('There is no answer.')
  const { rawHeaders } = answer
  const copied = rawHeaders.filter((_, at) => {
    const name = rawHeaders[at - (at % 2)] ?? ''
    return !OWN.includes(name.toLowerCase())
  })
  const bytes = await buffer(answer)
  const hasLength = answer.headers['content-length'] !== undefined
  return {
    headers: hasLength ? copied : [...copied, 'Content-Length', String(bytes.length)],
    bytes,
  }
}

type Source = { address: string; request: LoadRequest }

process.once('message', async ({ address, request }: Source) => {
  // the second answer comes from the cache
  await copy(address, request)
  const { headers, bytes } = await copy(address, request)
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
