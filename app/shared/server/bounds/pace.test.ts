import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as later } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { block } from '#tests/support/block.ts'
import { requirePace } from './pace.ts'

const PACE = { bytes: 100, ms: 250 }

let close = () => {}
afterEach(() => close())

/** A server that reads what it is sent, at its own time; the answer says how many bytes came. */
async function receiver(read: (request: IncomingMessage) => Promise<void>) {
  const server = createServer(async (request, response) => {
    requirePace(request, PACE)
    await read(request)
    let bytes = 0
    request.on('data', (chunk) => {
      bytes += chunk.length
    })
    request.once('end', () => response.end(String(bytes)))
    request.once('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = () => void server.close()
  const { port } = server.address() as AddressInfo
  const upload = send({ port, host: '127.0.0.1', method: 'POST' })
  const answer = new Promise<string>((resolve, reject) => {
    upload.once('error', reject)
    upload.once('response', async (response) => {
      resolve((await response.setEncoding('utf8').toArray()).join(''))
    })
  })
  return { upload, answer }
}

const atOnce = async () => {}

it('lets an upload take as long as it needs while bytes keep coming', async () => {
  const { upload, answer } = await receiver(atOnce)
  for (let part = 0; part < 15; part++) {
    upload.write(Buffer.alloc(200))
    await later(50)
  }
  upload.end()
  expect(await answer).toBe('3000')
})

it.each([
  ['silence', 0],
  ['a trickle', 1],
])('cuts %s off', async (_what, bytes) => {
  const { upload, answer } = await receiver(atOnce)
  upload.write(Buffer.alloc(1000))
  // each piece is framed by five bytes more, so that even a punctual clock stays below the pace
  const trickle = setInterval(() => upload.write(Buffer.alloc(bytes)), 50)
  await expect(answer.finally(() => clearInterval(trickle))).rejects.toThrow(
    /hang up|ECONNRESET|EPIPE/,
  )
})

it('does not count the time that an upload waits for us', async () => {
  const { upload, answer } = await receiver(() => later(3 * PACE.ms))
  upload.end(Buffer.alloc(500_000))
  expect(await answer).toBe('500000')
})

it('does not count the time in which nobody could read', async () => {
  const { upload, answer } = await receiver(atOnce)
  upload.write(Buffer.alloc(200))
  await later(PACE.ms / 5)
  upload.write(Buffer.alloc(200))
  // into the second time of the pace, in which nothing was read yet
  await later(PACE.ms)
  // the next turn of the loop begins with its clocks
  await new Promise((resolve) => setImmediate(resolve))
  upload.write(Buffer.alloc(200))
  // what is written leaves at the end of this tick
  await new Promise<void>((resolve) => process.nextTick(resolve))
  block(2 * PACE.ms)
  upload.end()
  expect(await answer).toBe('600')
})
