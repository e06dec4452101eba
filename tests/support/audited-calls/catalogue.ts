/** The calls of the back office that change the catalogue and its rules, and the audit entries that each writes. */
import { PASSWORD } from '../accounts.ts'
import { addCategory, addProduct } from '../catalogue.ts'
import { addCoupon } from '../coupons.ts'
import { fileOf, formOf } from '../form.ts'
import { plain } from '../pictures.ts'
import { addZone, INDIA, removeZones } from '../shipping.ts'
import { addTaxClass, addTaxRate, TAX_SETTINGS } from '../taxes.ts'
import type { AuditedCalls } from './audited-call.ts'

const CSV = 'name,description,price,quantity,category\nA,B,1,2,Kitchen\nC,D,1,2,Kitchen\n'

export const catalogueCalls: AuditedCalls = ({ shop, admin, category }) => {
  const asAdmin = (body?: unknown) => ({ token: admin().token, body })
  const cup = () => addProduct(shop.db, { category: category() })
  const form = () =>
    formOf({ name: 'Jug', description: 'Pours.', price: 9, quantity: 3, category: category().id })
  const photo = async () => formOf({ photo: fileOf(await plain(40, 30).jpeg().toBuffer()) })
  const dearer = (id: string) => ({
    changeId: crypto.randomUUID(),
    selection: { ids: [id] },
    change: { pricePercent: 5 },
  })
  const [red, blue] = [crypto.randomUUID(), crypto.randomUUID()]
  const values = [red, blue].map((_id, at) => ({ _id, name: `Colour ${at}`, swatch: null }))
  const fresh = { compareAt: null, weightGrams: null, sku: null, barcode: null }
  const inTwoColours = {
    options: { from: [], to: [{ slot: 1, name: 'Colour', values }] },
    added: [
      { _id: crypto.randomUUID(), values: [blue, null, null], price: 1, quantity: 1, ...fresh },
    ],
  }
  const materialOf = (name: string) => ({
    name,
    kind: 'choice',
    unit: null,
    isFilterable: true,
    choices: [{ name: 'Natural' }],
  })
  const attribute = async (name: string) => {
    const { body } = await shop.post<{ attribute: { _id: string } }>(
      '/product/attributes',
      asAdmin(materialOf(name)),
    )
    return body.attribute._id
  }
  // the response is JSON lines
  const importCsv = async () => {
    const { statusCode: status } = await shop.app.inject({
      method: 'POST',
      url: '/api/v1/product/import',
      payload: CSV,
      headers: { authorization: admin().token, 'content-type': 'text/csv' },
    })
    return { status }
  }
  return {
    createCategory: {
      tables: ['categories'],
      act: () => shop.post('/category/create-category', asAdmin({ name: 'Toys' })),
    },
    updateCategory: {
      tables: ['categories'],
      ready: async () => (await addCategory(shop.db, 'Bookz')).id,
      act: (id) => shop.put(`/category/update-category/${id}`, asAdmin({ name: 'Books' })),
    },
    deleteCategory: {
      tables: ['categories'],
      ready: async () => (await addCategory(shop.db, 'Gone')).id,
      act: (id) => shop.delete(`/category/delete-category/${id}`, asAdmin()),
    },
    createCoupon: {
      tables: ['coupons'],
      act: () => shop.post('/coupon/create-coupon', asAdmin({ code: 'SUMMER', percent: 5 })),
    },
    updateCoupon: {
      tables: ['coupons'],
      ready: async () => (await addCoupon(shop.db, { code: 'WINTER' })).id,
      act: (id) => shop.put(`/coupon/update-coupon/${id}`, asAdmin({ percent: 15 })),
    },
    deleteCoupon: {
      tables: ['coupons'],
      ready: async () => (await addCoupon(shop.db, { code: 'AUTUMN' })).id,
      act: (id) => shop.delete(`/coupon/delete-coupon/${id}`, asAdmin()),
    },
    createProduct: {
      tables: ['products', 'variants'],
      act: () => shop.post('/product/create-product', asAdmin(form())),
    },
    updateProduct: {
      tables: ['variants'],
      ready: async () => (await cup()).id,
      act: (id) => shop.put(`/product/update-product/${id}`, asAdmin(formOf({ price: 14 }))),
    },
    changeProducts: {
      tables: ['variants'],
      ready: async () => (await cup()).id,
      act: (id) => shop.post('/product/change-products', asAdmin(dearer(id))),
    },
    addPhoto: {
      tables: ['product_photos'],
      ready: async () => (await cup()).id,
      act: async (id) => shop.post(`/product/photos/${id}`, asAdmin(await photo())),
    },
    savePhotos: {
      tables: ['product_photos'],
      ready: async () => {
        const { id } = await cup()
        await shop.post(`/product/photos/${id}`, asAdmin(await photo()))
        return id
      },
      act: async (id) => {
        const { _id } = await shop.db
          .selectFrom('product_photos')
          .where('product_id', '=', id)
          .select('id as _id')
          .executeTakeFirstOrThrow()
        const body = { from: [{ _id, alt: '' }], to: [{ _id, alt: 'A cup' }] }
        return shop.put(`/product/photos/${id}`, asAdmin(body))
      },
    },
    saveVariants: {
      tables: ['option_values', 'product_options', 'variants'],
      ready: async () => (await cup()).id,
      act: (id) => shop.put(`/product/variants/${id}`, asAdmin(inTwoColours)),
    },
    createAttribute: {
      tables: ['attribute_choices', 'attributes'],
      act: () => shop.post('/product/attributes', asAdmin(materialOf('Clay'))),
    },
    updateAttribute: {
      tables: ['attribute_choices', 'attributes'],
      ready: () => attribute('Fabric'),
      act: (id) => shop.put(`/product/attributes/${id}`, asAdmin(materialOf('Silk'))),
    },
    deleteAttribute: {
      tables: ['attribute_choices', 'attributes'],
      ready: () => attribute('Wood'),
      act: (id) => shop.delete(`/product/attributes/${id}`, asAdmin()),
    },
    undoChange: {
      tables: ['variants'],
      ready: async () => {
        const change = dearer((await cup()).id)
        await shop.post('/product/change-products', asAdmin(change))
        return change.changeId
      },
      act: (changeId) => shop.post('/product/undo-change', asAdmin({ changeId })),
    },
    deleteProduct: {
      tables: ['products', 'variants'],
      ready: async () => (await cup()).id,
      act: (id) => shop.delete(`/product/delete-product/${id}`, asAdmin()),
    },
    importProducts: { tables: ['products', 'variants'], act: importCsv },
    createZone: {
      tables: ['shipping_places', 'shipping_rates', 'shipping_zones'],
      act: () => shop.post('/shipping/zone', asAdmin(INDIA)),
    },
    updateZone: {
      tables: ['shipping_rates', 'shipping_zones'],
      ready: async () => {
        await removeZones(shop)
        return (await addZone(shop, admin()))._id
      },
      act: (id) => shop.put(`/shipping/zone/${id}`, asAdmin({ ...INDIA, name: 'Bharat' })),
    },
    deleteZone: {
      tables: ['shipping_places', 'shipping_rates', 'shipping_zones'],
      ready: async () => {
        await removeZones(shop)
        return (await addZone(shop, admin()))._id
      },
      act: (id) => shop.delete(`/shipping/zone/${id}`, asAdmin()),
    },
    saveTaxSettings: {
      tables: ['tax_settings'],
      act: () => shop.put('/tax/settings', asAdmin(TAX_SETTINGS)),
    },
    saveSettings: {
      tables: ['settings'],
      act: async () => {
        const all = await shop.get<{ settings: object }>('/settings/all', asAdmin())
        const settings = { ...all.body.settings, name: 'Souk' }
        return shop.put('/settings/all', asAdmin({ ...all.body, settings }))
      },
    },
    saveConnection: {
      tables: ['stored_settings'],
      act: () =>
        shop.put(
          '/settings/connections/address',
          asAdmin({ values: { address: 'https://shop.example.com' }, password: PASSWORD }),
        ),
    },
    testConnection: {
      tables: [],
      act: () => shop.post('/settings/connections/address/test', asAdmin()),
    },
    uploadPicture: {
      tables: [],
      act: async () => {
        const photo = fileOf(await plain(40, 40).png().toBuffer())
        return shop.post('/settings/picture', asAdmin(formOf({ photo })))
      },
    },
    previewText: {
      tables: [],
      act: () => shop.post('/settings/preview', asAdmin({ text: 'Hello' })),
    },
    createTaxClass: {
      tables: ['tax_classes'],
      act: () => shop.post('/tax/classes', asAdmin({ name: 'Food' })),
    },
    updateTaxClass: {
      tables: ['tax_classes'],
      ready: async () => (await addTaxClass(shop.db, 'Boks')).id,
      act: (id) => shop.put(`/tax/classes/${id}`, asAdmin({ name: 'Taxed books' })),
    },
    deleteTaxClass: {
      tables: ['tax_classes'],
      ready: async () => (await addTaxClass(shop.db, 'Unused')).id,
      act: (id) => shop.delete(`/tax/classes/${id}`, asAdmin()),
    },
    createTaxRate: {
      tables: ['tax_rates'],
      act: () => shop.post('/tax/rates', asAdmin({ name: 'VAT', country: 'DE', rate: 19 })),
    },
    updateTaxRate: {
      tables: ['tax_rates'],
      ready: async () => (await addTaxRate(shop.db, { country: 'FR' })).id,
      act: (id) => shop.put(`/tax/rates/${id}`, asAdmin({ name: 'TVA', country: 'FR', rate: 20 })),
    },
    deleteTaxRate: {
      tables: ['tax_rates'],
      ready: async () => (await addTaxRate(shop.db, { country: 'IT' })).id,
      act: (id) => shop.delete(`/tax/rates/${id}`, asAdmin()),
    },
  }
}
