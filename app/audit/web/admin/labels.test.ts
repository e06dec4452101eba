import { expect, it } from 'vitest'
import { isAmount, labelOf, nameOfStored, nounOf, tableLabelOf } from './labels.ts'

it('names tables and their objects', () => {
  expect([tableLabelOf('products'), nounOf('products')]).toEqual(['Products', 'Product'])
  expect([tableLabelOf('categories'), nounOf('categories')]).toEqual(['Categories', 'Category'])
  expect([tableLabelOf('refunds'), nounOf('refunds')]).toEqual(['Refunds', 'Refund of'])
})

it('names stored settings in words, and not by their variables', () => {
  expect(['SMTP_URL', 'MAIL_FROM', 'STRIPE_SECRET_KEY'].map(nameOfStored)).toEqual([
    'SMTP server',
    'Sender of e-mails',
    'Stripe secret key',
  ])
})

it('names columns', () => {
  expect(
    ['price', 'is_admin', 'resolved_at', 'photo_version'].map((field) => labelOf(field)),
  ).toEqual(['Price', 'Admin', 'Resolved', 'Photo'])
})

it('names settings as their form does', () => {
  expect([labelOf('name', 'settings'), labelOf('name', 'products')]).toEqual(['Shop name', 'Name'])
})

it('knows the amounts, which are shown with their currency', () => {
  const fields = ['price', 'refund', 'refunded', 'paid', 'quantity', 'attempts']
  expect(fields.filter(isAmount)).toEqual(['price', 'refund', 'refunded', 'paid'])
})
