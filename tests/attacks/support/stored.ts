/** Text that means harm, stored wherever the shop stores text. */

import { signedPayment } from '#tests/support/payments.ts'
import { PAGE_ROWS } from '../route-table.ts'
import { addMember, addOwner, type Owner } from './people.ts'
import { asJson, by, formOf } from './requests.ts'
import type { World } from './world.ts'

/** What would run where text became markup. */
export const MARKUP = /<script>injected|<img src=x/

const SCRIPT = '</script><script>injected()</script><img src=x>'

/** Begins like a formula, ends a statement of SQL, and ends whatever markup it may stand in. */
export const hostile = (start: string) => `${start}1+1'; drop table users; --$$${SCRIPT}`

/** What a cell of a spreadsheet may not begin with. */
export const FORMULA_STARTS = ['=', '+', '-', '@', '\t=', '\r=', '＝']

/** A customer, their order, a category and a product, all of whose texts are hostile. */
export async function addHostile({ shop, send }: World, start: string): Promise<Owner> {
  const owner = await addOwner(shop)
  const { person, category, product, payment } = owner
  const admin = (await addMember(shop, { admin: true })).token
  const put = async (token: string, path: string, method: string, sent: object) => {
    const attempt = { method, path: `/api/v1${path}`, headers: {}, ...sent }
    const { status, text } = await send(by({ authorization: token }, attempt))
    if (status >= 300) throw new Error(`${path} answers ${status}: ${text}`)
  }
  const name = hostile(start)
  const shelf = `${start}${category.id.slice(-6)}'${SCRIPT}`
  const contact = { name, address: name, phone: name.slice(0, 50) }
  await put(person.token, '/auth/profile', 'PUT', asJson(contact))
  await put(admin, `/category/update-category/${category.id}`, 'PUT', asJson({ name: shelf }))
  const facts = formOf({ name, description: name, quantity: 100 })
  await put(admin, `/product/update-product/${product.id}`, 'PUT', facts)
  await put(person.token, '/product/razorpay/verify', 'POST', asJson(signedPayment(payment)))
  const slugOf = async (table: 'categories' | 'products', id: string) =>
    shop.db.selectFrom(table).where('id', '=', id).select('slug').executeTakeFirstOrThrow()
  return {
    ...owner,
    person: { ...person, name },
    category: { ...category, ...(await slugOf('categories', category.id)) },
    product: { ...product, ...(await slugOf('products', product.id)) },
  }
}

/** Every page, with something hostile in its address. */
export const pagesFor = ({ product, category, person }: Owner): string[] =>
  PAGE_ROWS.flatMap((row) => {
    const slug = encodeURIComponent(row.startsWith('/category') ? category.slug : product.slug)
    const path = row.replace(':slug', slug).replace('*', encodeURIComponent(person.name))
    return [path, `${path}?q=${encodeURIComponent(person.name)}&category=${category.id}`]
  })
