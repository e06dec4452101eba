import { request } from 'node:http'

/** A request to be sent many times; its body is one shared buffer. */
export type Upload = { url: string; method: string; token: string; type: string; body: Buffer }

/** Sends it over a new connection; returns the status and the body. */
const send = ({ url, method, token, type, body }: Upload) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const headers = { authorization: token, 'content-type': type, 'content-length': body.length }
    const sent = request(url, { method, headers, agent: false })
    sent.once('error', reject)
    sent.once('response', async (response) => {
      const parts: string[] = await response.setEncoding('utf8').toArray()
      resolve({ status: response.statusCode ?? 0, body: parts.join('') })
    })
    sent.end(body)
  })

const MEBIBYTE = 2 ** 20
const buffersMb = () => process.memoryUsage().arrayBuffers / MEBIBYTE

/**
 * Sends it so many times concurrently; also measures by how many MB this process's buffers grew at
 * most.
 */
export async function sendAtOnce(upload: Upload, times: number) {
  const before = buffersMb()
  let max = before
  const clock = setInterval(() => {
    max = Math.max(max, buffersMb())
  }, 5)
  const replies = await Promise.all(Array.from({ length: times }, () => send(upload)))
  clearInterval(clock)
  return { replies, grownMb: max - before }
}
