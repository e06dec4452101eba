/** Requests at a fixed rate, each at its time, whether or not those before it are answered. */
import { Agent, request as send } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beginRun, type Load, type LoadRequest, type Speed, speedOf, toAutocannon } from './load.ts'

/** Resolves when the whole answer is read. Throws for another status than 200. */
function answered(agent: Agent, address: string, request: LoadRequest) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const { path, body, ...options } = toAutocannon(request)
  const sent = send(address + path, { agent, ...options }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`The shop answered ${response.statusCode}.`))
    response.resume().once('end', resolve)
  })
  sent.once('error', reject).end(body)
  return promise
}

/**
 * Sends `rate` requests a second, evenly spaced. A time runs from the moment at which a request is due:
 * a server that stops for a second delays all requests of that second. autocannon sends those of a
 * second at once.
 */
export async function measurePaced({
  address,
  requests,
  connections,
  rate,
  seconds,
}: Load & { rate: number }): Promise<Speed> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const effort = beginRun()
  const startedAt = performance.now()
  const times: number[] = []
  const running: Promise<void>[] = []
  for (let at = 0; at < rate * seconds; at += 1) {
    const due = startedAt + (at * 1000) / rate
    const wait = due - performance.now()
    if (wait > 0) await sleep(wait)
    const request = requests[at % requests.length]
    if (!request) throw new Error('There are no requests to send.')
    const answer = answered(agent, address, request)
    running.push(answer.then(() => void times.push(performance.now() - due)))
    // thrown below, when all are sent
    running.at(-1)?.catch(() => {})
  }
  await Promise.all(running)
  agent.destroy()
  return speedOf(times, effort())
}
