/** The calls of Razorpay's API that the shop makes, as an HTTP handler. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Account } from './account.ts'
import { REFUSALS, Refusal } from './entities.ts'
import type { Answer, Call, Incident, Network } from './network.ts'
import type { Random } from './random.ts'

/** A request as the API has understood it. */
export type ApiRequest = {
  call: Call
  method: string
  path: string
  /** The idempotency key of a refund. */
  key: string | null
  body: object
  query: URLSearchParams
  /** The entity in the path, and the second one. */
  id: string
  inner: string
}

/** At most so many items are listed, and so many by default. */
const MAX_ITEMS = 100
const ITEMS = 10

const CALLS: [method: string, path: RegExp, call: Call][] = [
  ['POST', /^\/v1\/orders$/, 'create order'],
  ['GET', /^\/v1\/orders\/(\w+)$/, 'read order'],
  ['GET', /^\/v1\/orders\/(\w+)\/payments$/, 'list payments'],
  ['GET', /^\/v1\/payments\/(\w+)$/, 'read payment'],
  ['POST', /^\/v1\/payments\/(\w+)\/capture$/, 'capture'],
  ['POST', /^\/v1\/payments\/(\w+)\/refund$/, 'refund'],
  ['GET', /^\/v1\/payments\/(\w+)\/refunds$/, 'list refunds'],
]

type Parts = { method: string; url: string; key: string | null; text: string }

/** Parses a request. */
export function parseRequest({ method, url, key, text }: Parts): ApiRequest {
  const { pathname: path, searchParams: query } = new URL(url, 'http://localhost')
  const known = CALLS.find(([verb, pattern]) => verb === method && pattern.test(path))
  const [, id = ''] = known?.[1].exec(path) ?? []
  const body = text === '' ? {} : JSON.parse(text)
  const inner = path.split('/').at(-1) ?? ''
  return { call: known?.[2] ?? 'other', method, path, key, body, query, id, inner }
}

async function read(request: IncomingMessage): Promise<ApiRequest> {
  let text = ''
  for await (const chunk of request) text += chunk
  const { method = '', url = '', headers } = request
  const key = headers['x-refund-idempotency']
  return parseRequest({ method, url, key: typeof key === 'string' ? key : null, text })
}

/** A page of a list, the newest first, in the given time. */
function pageOf<Item extends { created_at: number }>(items: Item[], query: URLSearchParams) {
  const numberOf = (name: string, usual: number) => Number(query.get(name) ?? usual)
  const from = numberOf('from', 0)
  const to = numberOf('to', Number.MAX_SAFE_INTEGER)
  const skip = numberOf('skip', 0)
  const count = Math.min(numberOf('count', ITEMS), MAX_ITEMS)
  const found = items.filter(({ created_at: at }) => at >= from && at <= to)
  const page = found.slice(skip, skip + count)
  return { entity: 'collection', count: page.length, items: page }
}

/** Lists and single entities that have no name among the calls. */
function readOther(account: Account, { method, path, query, inner }: ApiRequest) {
  const newestFirst = <Item>(items: Iterable<Item>) => [...items].reverse()
  const { refunds, disputes, orders, payments } = account
  if (method !== 'GET') throw new Refusal('The requested URL was not found on the server.')
  if (path === '/v1/orders') return pageOf(newestFirst(orders.values()), query)
  if (path === '/v1/payments')
    return pageOf(newestFirst(payments.values()).map(account.viewOf), query)
  if (path === '/v1/refunds') return pageOf(account.listRefunds(), query)
  if (path === '/v1/disputes') return pageOf(newestFirst(disputes.values()), query)
  const found = disputes.get(inner) ?? refunds.find(({ id }) => id === inner)
  if (!found) throw new Refusal(REFUSALS.unknown)
  return found
}

/** The effect of a call, except of refunds. Throws a refusal. */
function effectOf(account: Account, request: ApiRequest): object {
  const { id, body, query } = request
  const wanted = body as { amount: number; currency: string }
  switch (request.call) {
    case 'create order':
      return account.createOrder(wanted)
    case 'read order':
      return account.orderWith(id)
    case 'list payments': {
      account.orderWith(id)
      const items = account.paymentsOf(id).reverse().map(account.viewOf)
      return { entity: 'collection', count: items.length, items }
    }
    case 'read payment':
      return account.viewOf(account.paymentWith(id))
    case 'capture':
      return account.capture(id, wanted.amount)
    case 'list refunds':
      account.paymentWith(id)
      return pageOf(account.listRefunds(id), query)
    default:
      return readOther(account, request)
  }
}

/**
 * Answers a request: its effect comes when `incident.before` has ended, and the answer, which is of that
 * moment, when `incident.after` has.
 */
export async function answer(
  account: Account,
  request: ApiRequest,
  { before, after }: Pick<Incident, 'before' | 'after'>,
): Promise<Answer> {
  const run = async <Result extends object>(effect: () => Result) => {
    await before?.()
    const result = structuredClone(effect())
    await after?.()
    return result
  }
  try {
    const body =
      request.call === 'refund'
        ? await account.acceptOnce(request, run)
        : await run(() => effectOf(account, request))
    return { status: 200, body }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, body: error.toBody() }
  }
}

const isAuthorised = ({ headers }: IncomingMessage, secret: string) => {
  const [kind, encoded = ''] = (headers.authorization ?? '').split(' ')
  const [keyId = '', given] = Buffer.from(encoded, 'base64').toString().split(':')
  return kind === 'Basic' && keyId.startsWith('rzp_') && given === secret
}

function write(response: ServerResponse, { status, body }: Answer) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** An answer as the bytes of HTTP. */
function rawAnswer({ status, body }: Answer) {
  const text = JSON.stringify(body)
  return `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

type Options = { account: Account; network: Network; random: Random; secret: string }

/** The handler of the API; `requests` has everything that came in. */
export function openApi({ account, network, random, secret }: Options) {
  const requests: ApiRequest[] = []
  const delayed = new WeakMap<Socket, string>()

  async function handle(incoming: IncomingMessage, response: ServerResponse) {
    const request = await read(incoming)
    requests.push(request)
    if (!isAuthorised(incoming, secret)) {
      const body = { error: { code: 'BAD_REQUEST_ERROR', description: 'Authentication failed' } }
      return write(response, { status: 401, body })
    }
    const incident = network.next(request.call)
    const { socket } = incoming
    if (incident.cut === 'before') return socket.destroy()
    const done = incident.instead ?? (await answer(account, request, incident))
    if (incident.cut === 'after') return socket.destroy()
    const former = delayed.get(socket)
    delayed.delete(socket)
    if (former) socket.write(former)
    write(response, done)
    if (!incident.isTwice) return
    if (random.chance(0.5)) socket.write(rawAnswer(done))
    else delayed.set(socket, rawAnswer(done))
  }

  return { requests, handle }
}
