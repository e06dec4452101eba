/**
 * The calls as the documents have them, each with its access: a second declaration, with which tests compare the
 * contracts.
 */

import { readFileSync } from 'node:fs'
import { type Access, CALLER_KINDS } from '#app/shared/contract/access.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'

/** Every call of the specification (spec §7). */
const SPECIFIED = `
  public GET    /category/get-category
  public GET    /product/product-count
  public GET    /product/product-list/:page
  public POST   /product/product-filters
  public GET    /product/get-product
  public GET    /product/get-product/:slug
  public GET    /product/related-product/:productId/:categoryId
  public GET    /product/product-category/:slug
  public GET    /product/product-photo/:id
  public GET    /product/search/:keyword
  admin  POST   /product/create-product
  admin  PUT    /product/update-product/:id
  admin  DELETE /product/delete-product/:id
  public POST   /auth/register
  public POST   /auth/login
  public POST   /auth/forgot-password
  user   GET    /auth/user-auth
  admin  GET    /auth/admin-auth
  user   PUT    /auth/profile
  user   GET    /auth/orders
  admin  GET    /auth/all-orders
  admin  PUT    /auth/order-status/:orderId
  admin  POST   /category/create-category
  admin  PUT    /category/update-category/:id
  admin  DELETE /category/delete-category/:id
  user   POST   /product/razorpay/order
  user   POST   /product/razorpay/verify`

/** The callers of each level, as docs/api.md names them. */
const FOR: Record<Access, string> = { public: 'guest', user: 'user', admin: 'admin' }

const levelOf = (who: string) => Object.entries(FOR).find(([, name]) => name === who)?.[0]

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')

/** The rows of a table: call, and whom it is for. */
const ADDED_ROW = /^\| `([A-Z]+) (\/\S+)` *\| (\w+) *\|/gm

/** A row of the table of levels: whom a call is for, and what each kind of caller gets. */
const LEVEL_ROW = new RegExp(
  `^\\| (\\w+) *${'\\|( *(?:passes|\\d{3}) *)'.repeat(CALLER_KINDS.length)}\\|$`,
  'gm',
)

/** The header of that table, which names the kinds. */
const LEVEL_HEADER = new RegExp(`^\\| for +${'\\|( *\\w+ *)'.repeat(CALLER_KINDS.length)}\\|$`, 'm')
const columns = [...(LEVEL_HEADER.exec(page) ?? [])].slice(1).map((name) => name.trim())

const added = [...page.matchAll(ADDED_ROW)]
  .filter(([, , path]) => path?.startsWith(API_PREFIX))
  .map(
    ([, method, path, who]) => `${levelOf(`${who}`)} ${method} ${path?.slice(API_PREFIX.length)}`,
  )

/** What each kind of caller gets at each level, by the column of its name: `passes`, or a status. */
export const documentedLevels = [...page.matchAll(LEVEL_ROW)].map(([, who, ...cells]) => [
  levelOf(`${who}`),
  ...CALLER_KINDS.map((kind) => cells[columns.indexOf(kind)]?.trim()),
])

/** One row each: `admin DELETE /path`. */
export const documentedCalls: string[] = [
  ...SPECIFIED.trim()
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' ')),
  ...added,
]
