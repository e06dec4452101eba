import type { ShippingRate, ShippingZone, ZoneForm } from '#app/shipping/admin-contract.ts'
import type { Person } from './accounts.ts'
import { addProduct, changeListed } from './catalogue.ts'
import type { TestShop } from './shop.ts'

export const FLAT: ShippingRate = { name: 'Standard', kind: 'flat', price: 40 }
export const EXPRESS: ShippingRate = { name: 'Express', kind: 'flat', price: 90 }
export const BY_WEIGHT: ShippingRate = {
  name: 'By weight',
  kind: 'weight',
  tiers: [
    { upTo: 500, price: 10 },
    { upTo: 2000, price: 20.5 },
  ],
}

export const INDIA: ZoneForm = {
  name: 'India',
  isDefault: false,
  places: [{ country: 'IN' }],
  rates: [FLAT, EXPRESS],
}

/** A delivery address in India, in parts. */
export const ADDRESS = {
  name: 'Meera Rao',
  street: '7 Temple Road',
  city: 'Mysuru',
  region: 'KA',
  postalCode: '570001',
  country: 'IN',
  phone: '555 0177',
}

export const ADDRESS_TEXT = '7 Temple Road, Mysuru, Karnataka 570001, India'

/** Adds a shipping zone through the API. */
export async function addZone(
  shop: TestShop,
  { token }: Person,
  facts: Partial<ZoneForm> = {},
): Promise<ShippingZone> {
  const reply = await shop.post<{ message: string; zone: ShippingZone }>('/shipping/zone', {
    token,
    body: { ...INDIA, ...facts },
  })
  if (reply.status !== 201) throw new Error(reply.body.message)
  return reply.body.zone
}

/** Deletes all shipping zones. */
export const removeZones = ({ db }: TestShop) => db.deleteFrom('shipping_zones').execute()

/** A product for 12.50 that has to be shipped. */
export async function addShipped(
  { db }: TestShop,
  category: { id: string },
  facts: { weight_grams?: number; shipping?: boolean } = {},
) {
  const { shipping = true, ...offer } = facts
  const product = await addProduct(db, { category })
  await db.updateTable('products').set({ shipping }).where('id', '=', product.id).execute()
  if (offer.weight_grams !== undefined) await changeListed(db, product, offer)
  return product
}
