/** Each form has a control for every field of its call, at which a refusal is shown. */
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { describe, expect, it } from 'vitest'
import { accountCalls } from '#app/accounts/contract.ts'
import { ProfileForm } from '#app/accounts/web/profile-form.tsx'
import RegisterPage from '#app/accounts/web/register-page.tsx'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { CategoryField } from '#app/categories/web/admin/manage-category-page.tsx'
import { couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { CouponForm } from '#app/coupons/web/admin/coupon-page.tsx'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { CELL_NAMES } from '#app/products/variant-contract.ts'
import { ProductFields } from '#app/products/web/admin/product-fields.tsx'
import { setupCalls } from '#app/setup/contract.ts'
import FirstRunPage from '#app/setup/web/first-run-page.tsx'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { shippingAdminCalls } from '#app/shipping/admin-contract.ts'
import { DeliveryAddress } from '#app/shipping/contract.ts'
import { AddressFields } from '#app/shipping/web/address-fields.tsx'
import { ZoneEditor } from '#app/shipping/web/admin/zone-page.tsx'
import { taxAdminCalls } from '#app/taxes/admin-contract.ts'
import { RateDialog, SettingsDialog } from '#app/taxes/web/admin/dialogs.tsx'

const ignore = () => {}
const ignored = async () => {}
const SUBMIT = {
  busy: false,
  problems: [],
  mend: ignore,
  form: { onSubmit: ignored, method: 'post' } as const,
}
const TAX_SETTINGS = {
  pricesIncludeTax: true,
  taxesShipping: false,
  shippingClass: null,
  country: 'IN',
  region: null,
  sellerName: '',
  sellerAddress: '',
  sellerTaxNumber: '',
}
const CATEGORY = { _id: '1', name: 'Cups', slug: 'cups' }

/** The names of the controls that a form has on the server, in a page of its own. */
function namesIn(form: ReactNode): Set<string> {
  const Page = createRoutesStub([{ path: '/', Component: () => form }])
  const html = renderToStaticMarkup(createElement(Page))
  return new Set(
    [...html.matchAll(/<(?:input|select|textarea)[^>]* name="([^"]+)"/g)].map(
      ([, name = '']) => name,
    ),
  )
}

const fieldsOf = ({ body }: Endpoint): string[] =>
  Object.keys(body && 'properties' in body ? Object(body.properties) : {})

type Form = { call: Endpoint; form: ReactNode; without?: string[] }

const FORMS: Record<string, Form> = {
  registration: { call: accountCalls.register, form: createElement(RegisterPage) },
  profile: {
    call: accountCalls.updateProfile,
    form: createElement(ProfileForm, { user: null, save: SUBMIT }),
    // shown with a new password or answer; a form of its own
    without: ['currentPassword', 'delivery'],
  },
  'first run': {
    call: setupCalls.makeFirstAdmin,
    form: createElement(FirstRunPage, { loaderData: { countries: [], currencies: [], zones: [] } }),
  },
  category: {
    call: categoryAdminCalls.createCategory,
    form: createElement(CategoryField),
  },
  product: {
    call: productAdminCalls.createProduct,
    form: createElement(ProductFields, {
      hasOptions: false,
      categories: [],
      taxClasses: [{ _id: '1', name: 'Books' }],
    }),
    // of the button that is pressed; gathered of controls for attributes and variants; of a copy, not entered
    without: ['status', 'attributes', 'variants', 'copyOf'],
  },
  coupon: {
    call: couponAdminCalls.createCoupon,
    form: createElement(CouponForm, { coupon: null, categories: [CATEGORY] }),
    // parts of a choice, shown when it is made
    without: ['amount', 'freeShipping', 'title', 'customers'],
  },
  'tax rate': {
    call: taxAdminCalls.createTaxRate,
    form: createElement(RateDialog, { classes: [] }),
  },
  'tax settings': {
    call: taxAdminCalls.saveTaxSettings,
    form: createElement(SettingsDialog, { settings: TAX_SETTINGS, classes: [] }),
    // a choice of the class of shipping
    without: ['taxesShipping'],
  },
  'shipping zone': {
    call: shippingAdminCalls.createZone,
    form: createElement(ZoneEditor, { others: [] }),
    // not entered
    without: ['updatedAt'],
  },
}

describe('the form of', () => {
  it.each(Object.entries(FORMS))('a %s has a control for each field of its call', (_, form) => {
    const names = [...namesIn(form.form)]
    const shown = (field: string) =>
      names.some((name) => name === field || name.startsWith(`${field}.`))
    const missing = fieldsOf(form.call).filter((field) => !shown(field))
    expect(missing).toEqual(form.without ?? [])
  })

  it('a product without options has a control for each cell of its variant', () => {
    const fields = { hasOptions: false, categories: [], taxClasses: [] }
    const names = namesIn(createElement(ProductFields, fields))
    expect(CELL_NAMES.filter((cell) => !names.has(cell))).toEqual([])
  })

  it('an address has a control for each of its parts', () => {
    for (const of of ['delivery', 'billing'] as const) {
      const names = namesIn(createElement(AddressFields, { of, address: {} }))
      const paths = Object.keys(DeliveryAddress.properties).map((part) => `${of}.${part}`)
      expect([...names].sort()).toEqual(paths.sort())
    }
  })
})
