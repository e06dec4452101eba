import { describe, expect, it } from 'vitest'
import type { DetailedProduct } from '#app/products/contract.ts'
import { CELL_NAMES } from '#app/products/variant-contract.ts'
import { PLAIN_FORMAT } from '#app/shared/model/money-text.ts'
import { editOf, newOf, offerIn, photoIn, textsIn } from './product-form.ts'
import { needsVariants, newDraft, withFields } from './variants/only-variant.ts'

const product: DetailedProduct = {
  _id: '0',
  name: 'Clay cup',
  slug: 'clay-cup',
  description: 'Holds tea.\r\nAnd more tea.',
  price: 12.5,
  quantity: 10,
  category: { _id: 'c1', name: 'Cups', slug: 'cups' },
  shipping: 0,
  weightGrams: 250,
  photo: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
}
const untouched = {
  name: 'Clay cup',
  description: 'Holds tea.\nAnd more tea.',
  price: '12.5',
  quantity: '10',
  category: 'c1',
  shipping: '0',
  weightGrams: '250',
  taxClass: '',
}
const { updatedAt } = product

const filled = (texts: object) => {
  const form = new FormData()
  for (const [name, text] of Object.entries(texts)) form.set(name, text)
  form.set('photo', new File([], ''))
  return form
}

describe('an edit', () => {
  it('of nothing sends only when the product was read', () => {
    expect(editOf(product, filled(untouched))).toEqual({ updatedAt })
  })

  it('sends what was changed, as it was typed, and no cell of a variant', () => {
    const typed = { ...untouched, name: 'Mug', price: '1e309', category: 'c2' }
    expect(editOf(product, filled(typed))).toEqual({ name: 'Mug', category: 'c2', updatedAt })
  })

  it('sends a field that was emptied, and none that has no control', () => {
    expect(editOf(product, filled({ ...untouched, name: '' }))).toEqual({ name: '', updatedAt })
    const { taxClass: _, ...others } = untouched
    expect(editOf(product, filled(others))).toEqual({ updatedAt })
  })
})

describe('the values of attributes', () => {
  const described = { ...product, attributeValues: { a1: 'oak', a2: '12.5' } }
  const sent = (texts: object) => {
    const { attributes } = editOf(described, filled({ ...untouched, ...texts }))
    return attributes === undefined ? attributes : JSON.parse(attributes)
  }

  it('are sent all together when one is changed, added or emptied', () => {
    const fields = { 'attribute.a2': '12.5', 'attribute.a1': 'oak', 'attribute.a3': '' }
    expect(sent(fields)).toBeUndefined()
    expect(sent({ ...fields, 'attribute.a1': 'steel' })).toEqual({ a1: 'steel', a2: '12.5' })
    expect(sent({ ...fields, 'attribute.a3': 'yes' })).toEqual({ a1: 'oak', a2: '12.5', a3: 'yes' })
    expect(sent({ ...fields, 'attribute.a2': '' })).toEqual({ a1: 'oak' })
  })

  it('stay where an attribute has no control, as when the attributes could not be loaded', () => {
    expect(sent({ name: 'Mug' })).toBeUndefined()
    expect(sent({ 'attribute.a1': 'steel' })).toEqual({ a1: 'steel', a2: '12.5' })
  })

  it('are those of a copied product, too', () => {
    const attributes = '{"a1":"oak","a2":"12.5"}'
    const { price: _, quantity: _of, weightGrams: _its, ...ofProduct } = untouched
    expect(newOf(filled(untouched), described)).toEqual({
      ...ofProduct,
      attributes,
      copyOf: described._id,
    })
    expect(newOf(filled({ 'attribute.a1': 'steel' }))).toEqual({ attributes: '{"a1":"steel"}' })
    expect(newOf(filled({ name: 'Mug', 'attribute.a1': '' }))).toEqual({ name: 'Mug' })
  })
})

describe('a product form', () => {
  it('gives its texts, and a photo only when one was chosen', () => {
    const form = new FormData()
    form.set('name', 'Mug')
    form.set('photo', new File([], ''))
    expect(photoIn(form)).toBeUndefined()
    const photo = new File(['x'], 'mug.jpg')
    form.set('photo', photo)
    expect(photoIn(form)?.name).toBe('mug.jpg')
    expect(textsIn(form)).toEqual({ name: 'Mug' })
  })
})

describe('a new product without options', () => {
  it.each(CELL_NAMES)('sends a typed %s, by itself or as a variant', (cell) => {
    const form = filled({ [cell]: '8' })
    const draft = withFields(newDraft({}, PLAIN_FORMAT), form, PLAIN_FORMAT)
    expect(cell in offerIn(form) || needsVariants(draft)).toBe(true)
  })

  it('sends no variants where its form has all of it', () => {
    const form = filled({
      price: '12.5',
      quantity: '10',
      weightGrams: '250',
      sku: ' ',
      barcode: '',
    })
    expect(needsVariants(withFields(newDraft({}, PLAIN_FORMAT), form, PLAIN_FORMAT))).toBe(false)
  })
})
