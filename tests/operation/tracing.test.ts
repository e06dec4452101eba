import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { openEmbedded } from '#db/embedded.ts'
import { migrate } from '#db/migrate.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { INTERNAL_ADDRESS, requestIdHeader } from '#server/operation/requests.ts'
import { openTracing } from '#server/operation/tracing.ts'
import { addPerson } from '../support/accounts.ts'
import { addCategory, addProduct } from '../support/catalogue.ts'
import { readImage } from '../support/database-image.ts'
import { payInSandbox, signedPayment } from '../support/payments.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Attribute[]
  status: { code?: number }
}
type Sent = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }

/** A collector that stores the received spans. */
async function openCollector() {
  const spans: Span[] = []
  const paths = new Set<string>()
  const server = createServer(async (request, reply) => {
    paths.add(String(request.url))
    const { resourceSpans } = (await json(request)) as Sent
    for (const { scopeSpans } of resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans)
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { spans, paths, url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

let collector: Awaited<ReturnType<typeof openCollector>>
beforeAll(async () => {
  collector = await openCollector()
})
afterAll(() => collector.close())

const CALLER = '0af7651916cd43dd8448eb211c80319c'
const CALLERS_SPAN = 'b7ad6b7169203331'
const traceparent = `00-${CALLER}-${CALLERS_SPAN}-01`

const PROXY = '203.0.113.9'

const attributeOf = ({ attributes }: Span, name: string) => {
  const { value } = attributes.find(({ key }) => key === name) ?? {}
  return value?.stringValue ?? value?.intValue
}

async function openTracedShop() {
  const tracing = await openTracing(`${collector.url}/`)
  const image = process.env.DATABASE_URL ? undefined : await readImage(inject('databaseImage'))
  const opened = await openEmbedded(undefined, image, tracing.query)
  await migrate(opened.db)
  const config = readConfig({
    PAYMENTS: 'sandbox',
    SANDBOX_SECRET: 'test-secret',
    RATE_LIMIT: 'off',
    TRUST_PROXY: PROXY,
  })
  const app = await createApp({ config, db: opened.db, logger: false, tracing })
  app.get('/fails', () => {
    throw new Error('no')
  })
  const close = async () => {
    await app.close()
    await tracing.close()
    await opened.close()
  }
  return { app, db: opened.db, close }
}

it('traces a request, its statements and its calls of the provider', async () => {
  const { app, db, close } = await openTracedShop()
  const buyer = await addPerson(db)
  const category = await addCategory(db, 'Tableware')
  const product = await addProduct(db, { category, price: 10 })
  const started = await app.inject({
    method: 'POST',
    url: '/api/v1/product/razorpay/order',
    headers: { authorization: buyer.token, traceparent },
    remoteAddress: PROXY,
    payload: { amount: 1000, cart: [{ _id: product.id }] },
  })
  expect(started.statusCode).toBe(200)
  const { id } = started.json<{ id: string }>()
  const headers = { authorization: buyer.token }
  const payload = { razorpay_order_id: id }
  await app.inject({ method: 'POST', url: '/api/v1/product/razorpay/cancel', headers, payload })
  const proof = signedPayment(id)
  await payInSandbox(db, proof)
  await app.inject({
    method: 'POST',
    url: '/api/v1/product/razorpay/verify',
    headers,
    payload: proof,
  })
  await app.inject({
    url: '/fails',
    headers: requestIdHeader('a-page'),
    remoteAddress: INTERNAL_ADDRESS,
  })
  const categories = '/api/v1/category/get-category'
  await app.inject({
    url: categories,
    headers: { traceparent: 'nonsense' },
    remoteAddress: PROXY,
  })
  // a client chooses neither the id nor whether it is traced
  for (const flags of ['01', '00'])
    await app.inject({
      url: categories,
      headers: { traceparent: traceparent.replace(/01$/, flags), 'x-forwarded-for': PROXY },
    })
  await close()

  expect([...collector.paths]).toEqual(['/v1/traces'])
  const { spans } = collector
  const request = spans.find(({ name }) => name === 'POST /api/v1/product/razorpay/order')
  expect(request).toMatchObject({ traceId: CALLER, parentSpanId: CALLERS_SPAN })
  const childrenOf = (parent?: Span) =>
    spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId)
  const children = childrenOf(request)
  const names = children.map(({ name }) => name)
  // the session before the body was read, the reservation after that
  expect(names).toEqual(expect.arrayContaining(['db select', 'db with']))
  const refused = spans.find(({ name }) => name === 'POST /api/v1/product/razorpay/verify')
  expect(childrenOf(refused).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['db select', 'db update', 'sandbox refund']),
  )
  const statements = children.map((span) => attributeOf(span, 'db.query.text')).join('\n')
  expect(statements).toContain('insert into payments')
  expect(JSON.stringify(spans)).not.toContain(buyer.id)
  expect(request && attributeOf(request, 'http.response.status_code')).toBe(200)
  expect(request && attributeOf(request, 'haat.request_id')).toBe(started.headers['x-request-id'])

  const failed = spans.find(({ name }) => name === 'GET /fails')
  expect(failed?.status.code).toBe(2)
  expect(failed && attributeOf(failed, 'haat.request_id')).toBe('a-page')
  const alone = spans.filter(({ name }) => name === `GET ${categories}`)
  expect(alone.map(({ parentSpanId = '' }) => parentSpanId)).toEqual(['', '', ''])
  expect(alone.map(({ traceId }) => traceId)).not.toContain(CALLER)
})

it('does its work when nobody takes the traces', async () => {
  const tracing = await openTracing('http://127.0.0.1:1')
  expect(await tracing.work('a work', async () => 'done')).toBe('done')
  await expect(tracing.work('a work', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await tracing.close()
})
