import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { type LoadRequest, measure, requestsOf } from './load.ts'
import { measurePaced } from './paced.ts'

/** Measures for a moment a server that answers like this. */
async function measureServer(answer: RequestListener, requests: LoadRequest[], rate?: number) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  const port = typeof at === 'object' ? at?.port : ''
  const address = `http://127.0.0.1:${port}`
  const load = { address, requests, connections: 2, seconds: 0.3 }
  const measuring = rate === undefined ? measure(load) : measurePaced({ ...load, rate })
  return measuring.finally(() => server.close())
}

it('sends all requests in turn and reports how long the answers took', async () => {
  const received = new Set<string>()
  const speed = await measureServer(
    async (request, response) => {
      const body = await buffer(request)
      received.add(`${request.method} ${request.url} ${body} ${request.headers['accept-encoding']}`)
      setTimeout(() => response.end('{}'), 10)
    },
    [
      { path: '/a' },
      { method: 'POST', path: '/b', body: { c: 1 }, headers: { 'accept-encoding': 'identity' } },
    ],
  )
  expect(received).toEqual(new Set(['GET /a  gzip, deflate, br', 'POST /b {"c":1} identity']))
  expect(speed.answers).toBeGreaterThan(2)
  expect(speed.p50).toBeGreaterThan(9)
  expect(speed.p99).toBeGreaterThanOrEqual(speed.p50)
})

it('divides many requests among the connections, and rotates few', () => {
  const requests = (count: number) => Array.from({ length: count }, (_, at) => ({ path: `/${at}` }))
  const pathsOf = (count: number, connection: number) =>
    requestsOf(requests(count), connection, 2).map(({ path }) => path)
  expect(pathsOf(3, 0)).toEqual(['/0', '/1', '/2'])
  expect(pathsOf(3, 1)).toEqual(['/1', '/2', '/0'])
  const many = requests(500).map(({ path }) => path)
  expect(new Set([...pathsOf(500, 0), ...pathsOf(500, 1)])).toEqual(new Set(many))
  expect(pathsOf(500, 0)).toHaveLength(250)
})

it('fails when an answer is not 200', async () => {
  const failing: RequestListener = (_request, response) => response.writeHead(503).end()
  await expect(measureServer(failing, [{ path: '/' }])).rejects.toThrow('The shop answered 503.')
})

it('fails when there is no answer', async () => {
  const closing: RequestListener = (request) => request.socket.resetAndDestroy()
  await expect(measureServer(closing, [{ path: '/' }])).rejects.toThrow('had no answer')
})

it('sends requests at a fixed rate, and counts the wait of those that are due while the server is busy', async () => {
  const answer: RequestListener = (_request, response) => setTimeout(() => response.end(), 100)
  const { answers, p50 } = await measureServer(answer, [{ path: '/' }], 100)
  expect(answers).toBe(30)
  // two connections answer twenty a second
  expect(p50).toBeGreaterThan(300)
})
