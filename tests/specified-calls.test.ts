import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { declared } from './support/declared.ts'

/** Every call of the specification (spec §7). */
const SPECIFIED = `
  GET /category/get-category
  GET /product/product-count
  GET /product/product-list/:page
  POST /product/product-filters
  GET /product/get-product
  GET /product/get-product/:slug
  GET /product/related-product/:productId/:categoryId
  GET /product/product-category/:slug
  GET /product/product-photo/:id
  GET /product/search/:keyword
  POST /product/create-product
  PUT /product/update-product/:id
  DELETE /product/delete-product/:id
  POST /auth/register
  POST /auth/login
  POST /auth/forgot-password
  GET /auth/user-auth
  GET /auth/admin-auth
  PUT /auth/profile
  GET /auth/orders
  GET /auth/all-orders
  PUT /auth/order-status/:orderId
  POST /category/create-category
  PUT /category/update-category/:id
  DELETE /category/delete-category/:id
  POST /product/razorpay/order
  POST /product/razorpay/verify`

const specified = SPECIFIED.trim().split(/\n\s*/)
const calls = declared.map(([, { method, path }]) => `${method} ${path}`)

it('are all there', () => {
  expect(calls).toEqual(expect.arrayContaining(specified))
})

it('are joined by no call that docs/api.md does not list', () => {
  const page = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+) (\/\S+)`/gm)]
  const listed = rows
    .filter(([, , path]) => path?.startsWith(API_PREFIX))
    .map(([, method, path]) => `${method} ${path?.slice(API_PREFIX.length)}`)
  expect(listed.toSorted()).toEqual(calls.filter((call) => !specified.includes(call)).toSorted())
})
