import { expect, it } from 'vitest'
import { categoryChoices } from './coupon-fields.tsx'

const category = (name: string) => ({ _id: `id of ${name}`, name, slug: name })

it('keeps the deleted categories of a coupon among the choices', () => {
  const [cups, pots] = [category('cups'), category('pots')]
  expect(categoryChoices([cups, pots], [pots._id])).toEqual([cups, pots])
  expect(categoryChoices([cups], [cups._id, pots._id])).toEqual([
    cups,
    { _id: pots._id, name: 'Deleted category' },
  ])
})
