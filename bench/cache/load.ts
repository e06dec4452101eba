/** A process that asks one address over and over, on some connections that it keeps, and tells how long each answer took. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type Load = { address: string; path: string; connections: number; seconds: number }
/** Requests a second; milliseconds that half of them, and all but one in a hundred, took at most. */
export type Speed = { perSecond: number; p50: number; p99: number }

const END_OF_HEADERS = '\r\n\r\n'

/** The size of a whole answer, from its first bytes; every answer to the same request is as long. */
function sizeIn(start: string): number | null {
  const end = start.indexOf(END_OF_HEADERS)
  if (end < 0) return null
  if (!start.startsWith('HTTP/1.1 200 ')) throw new Error(`It answered ${start.slice(0, 40)}`)
  const [, length] = /\ncontent-length: (\d+)/i.exec(start.slice(0, end)) ?? []
  return end + END_OF_HEADERS.length + Number(length)
}

/** Asks on one connection, the next when the last is answered; each answer's time goes to `times`. */
async function askOnAndOn(socket: Socket, request: string, times: number[], until: number) {
  let [start, size, came] = ['', 0, 0]
  let asked = 0
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const ask = () => {
    asked = performance.now()
    if (asked > until) resolve()
    else socket.write(request)
  }
  socket.on('error', reject).on('data', (bytes) => {
    came += bytes.length
    if (size === 0) {
      start += bytes.toString('latin1')
      size = sizeIn(start) ?? 0
    }
    if (size === 0 || came < size) return
    came = 0
    times.push(performance.now() - asked)
    ask()
  })
  ask()
  await promise.finally(() => socket.destroy())
}

async function measure({ address, path, connections, seconds }: Load): Promise<Speed> {
  const { hostname, port, host } = new URL(address)
  const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: image/avif,image/webp,*/*\r\nAccept-Encoding: gzip, deflate, br\r\nUser-Agent: bench\r\n\r\n`
  const sockets = Array.from({ length: connections }, () => connect(Number(port), hostname))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const times: number[] = []
  const began = performance.now()
  const until = began + seconds * 1000
  await Promise.all(sockets.map((socket) => askOnAndOn(socket, request, times, until)))
  const took = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0
  return { perSecond: times.length / took, p50: at(0.5), p99: at(0.99) }
}

process.once('message', async (load: Load) => {
  process.send?.(await measure(load))
  process.disconnect()
})
