/** The most that the median of a list may take, in milliseconds. */
export const ALLOWED_MS = 50

const WARM_UPS = 3
const RUNS = 25

/** Fetches an address below /api/v1 over HTTP, as the admin. */
export type Get = (path: string) => Promise<Response>

export type Measured = { what: string; rows: number; median: number; p95: number }

export type Samples = {
  orderId: string
  paymentId: string
  /** Filters by day: the last days, and all days with sales. */
  from: string
  first: string
  to: string
}

const PAGES = [1, 2000]

/**
 * The admin's lists by their URLs below /api/v1, including expensive searches: a text that every
 * row contains, and two letters that none contains and that no trigram index covers.
 */
const lists = ({
  orderId,
  paymentId,
  from,
  first,
  to,
}: Samples): [what: string, path: string][] => [
  ['products', '/product/get-product?'],
  ['products, name has "lamp"', '/product/get-product?q=lamp'],
  ['products, name has "a"', '/product/get-product?q=a'],
  ['products, name has "zq"', '/product/get-product?q=zq'],
  ['orders', '/auth/all-orders?'],
  ['orders, status Shipped', '/auth/all-orders?status=Shipped'],
  ['orders, thirty days', `/auth/all-orders?from=${from}&to=${to}`],
  ['orders, ninety days', `/auth/all-orders?from=${first}&to=${to}`],
  ['orders, buyer "Meera"', '/auth/all-orders?q=Meera'],
  ['orders, buyer "Meera Dubois"', '/auth/all-orders?q=Meera%20Dubois'],
  ['orders, e-mail', '/auth/all-orders?q=shopper-777%40example.com'],
  ['orders, "example.com"', '/auth/all-orders?q=example.com'],
  ['orders, "a"', '/auth/all-orders?q=a'],
  ['orders, "zq"', '/auth/all-orders?q=zq'],
  ['orders, order id', `/auth/all-orders?q=${orderId}`],
  ['orders, payment id', `/auth/all-orders?q=${paymentId}`],
  ['users', '/auth/all-users?'],
  ['users, name has "meera"', '/auth/all-users?q=meera'],
  ['users, e-mail', '/auth/all-users?q=shopper-777%40'],
  ['users, "example.com"', '/auth/all-users?q=example.com'],
  ['users, "a"', '/auth/all-users?q=a'],
  ['users, "zq"', '/auth/all-users?q=zq'],
]

const rowsOf = (body: unknown): number => {
  if (Array.isArray(body)) return body.length
  const { products, days } = Object(body)
  return (products ?? days ?? []).length
}

async function time(get: Get, what: string, path: string) {
  const times: number[] = []
  let rows = 0
  for (let run = -WARM_UPS; run < RUNS; run++) {
    const start = performance.now()
    const response = await get(path)
    const text = await response.text()
    const took = performance.now() - start
    if (!response.ok) throw new Error(`${path} answered ${text}`)
    rows = rowsOf(JSON.parse(text))
    if (run >= 0) times.push(took)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor((RUNS - 1) * share)] ?? 0
  const measured = { what, rows, median: at(0.5), p95: at(0.95) }
  console.log(`${what}: ${measured.median.toFixed(1)} ms`)
  return measured
}

/** Requests each list repeatedly, one request at a time, at its first page and far inside. */
export async function measureLists(get: Get, samples: Samples): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const [what, path] of lists(samples)) {
    for (const page of PAGES) {
      const address = `${path}${path.endsWith('?') ? '' : '&'}page=${page}`
      measured.push(await time(get, `${what}, page ${page}`, address))
    }
  }
  measured.push(await time(get, "the day's business", '/order/figures'))
  return measured
}
