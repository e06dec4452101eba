import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { API_PREFIX, type Endpoint } from '#app/shared/contract/endpoint.ts'
import type { Visitor } from './journey.ts'

/** A unique name. */
export const named = (word: string) => `${word} ${crypto.randomUUID().slice(0, 8)}`

export const createCategory = async ({ call }: Visitor, name: string) =>
  (await call(categoryAdminCalls.createCategory, { body: { name } })).category

/** A product in a category of its own. */
export async function createProduct(admin: Visitor, name: string, description = 'Holds tea.') {
  const { _id: category } = await createCategory(admin, named('Cups'))
  const body = { name, description, price: 12.5, quantity: 10, category, shipping: 0 }
  return (await admin.call(productAdminCalls.createProduct, { body })).products
}

/** A photo of one colour, as a file to choose. */
export async function photoOf(background: string) {
  const picture = sharp({ create: { width: 800, height: 600, channels: 3, background } })
  return { name: 'cup.jpg', mimeType: 'image/jpeg', buffer: await picture.jpeg().toBuffer() }
}

/** Breaks all calls of the API from now on; pages still load. */
export const breakAllCalls = (page: Page) =>
  page.route(
    (url) => url.pathname.startsWith(API_PREFIX),
    (route) => route.fulfill({ status: 418, body: '' }),
  )

/** Lets the outbox count so many parked e-mails from now on, as after a restore. */
export const listParked = (page: Page, count: number) =>
  page.route('**/email/emails?state=parked', (route) =>
    route.fulfill({ json: [], headers: { 'x-total-count': String(count) } }),
  )

/** Makes a call fail without a server's message from now on. */
export const breakCall = (page: Page, { method, path }: Endpoint) =>
  page.route(
    (url) => url.pathname.startsWith(API_PREFIX + path.replace(/:.*/, '')),
    (route) =>
      route.request().method() === method
        ? route.fulfill({ status: 418, body: '' })
        : route.fallback(),
  )
