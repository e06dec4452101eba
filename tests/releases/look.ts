import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { ADMIN, CUSTOMER } from './fill-shop.ts'

/** Sends a request below /api/v1, and answers the body. */
export type Read = (
  method: string,
  path: string,
  sent?: { body?: object; token?: string },
) => Promise<Buffer>

const ADMIN_PATHS = [
  '/auth/all-orders',
  '/auth/all-users',
  '/payment/payments?state=order_refunded',
  '/payment/payments?state=owed',
  '/coupon/coupons',
  '/shipping/zones',
  '/tax',
  '/settings/all',
]
const EXPORTS = ['/product/export', '/order/export', '/coupon/export']
const PUBLIC_PATHS = [
  '/settings',
  '/settings/slides',
  '/settings/texts/about',
  '/category/get-category',
  '/product/get-product',
]

type Listed = { _id: string; slug: string }
type Order = Listed & { unpaid?: object; refunds?: { creditNote: number | null }[] }

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Whether an order is late is not compared: it depends on the day of the test. */
function withoutToday(key: string, value: unknown) {
  if (key === 'isLate') return undefined
  return key === 'state' && value === 'overdue' ? 'owed' : value
}

/** The shop of `fillShop` as a merchant and a customer see it, by the path of its call. */
export async function lookAround(read: Read): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {}
  const json = async (...sent: Parameters<Read>) =>
    JSON.parse((await read(...sent)).toString(), withoutToday)
  const logIn = async (body: object): Promise<string> =>
    (await json('POST', '/auth/login', { body })).token
  const admin = await logIn(ADMIN)
  const customer = await logIn(CUSTOMER)
  for (const path of ADMIN_PATHS) seen[path] = await json('GET', path, { token: admin })
  for (const path of EXPORTS) {
    const csv = await read('GET', path, { token: admin })
    seen[path] = parse(csv, { columns: true, bom: true })
  }
  for (const path of PUBLIC_PATHS) seen[path] = await json('GET', path)
  seen['/auth/orders'] = await json('GET', '/auth/orders', { token: customer })
  for (const { _id, unpaid, refunds = [] } of seen['/auth/orders'] as Order[]) {
    const path = `/order/invoice/${_id}`
    if (!unpaid) seen[path] = await json('GET', path, { token: admin })
    seen[`/order/order/${_id}`] = await json('GET', `/order/order/${_id}`, { token: admin })
    for (const { creditNote } of refunds) {
      const path = `/auth/credit-notes/${creditNote}`
      if (creditNote) seen[path] = await json('GET', path, { token: customer })
    }
  }
  for (const { _id, slug } of (seen['/product/get-product'] as { products: Listed[] }).products) {
    seen[`/product/get-product/${slug}`] = await json('GET', `/product/get-product/${slug}`)
    const path = `/product/product-photo/${_id}`
    seen[path] = sha256(await read('GET', path))
  }
  return seen
}
