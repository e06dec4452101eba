import type { Page } from '@playwright/test'
import { couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { UNREACHABLE } from '#app/shared/model/messages.ts'
import { ADMIN, type AdminCall, confirm, follow, goBack, press, type Scene } from './admin-call.ts'

const newCode = () => `E2E-${crypto.randomUUID().slice(0, 8)}`

const createCoupon = async ({ admin }: Scene) =>
  (await admin.call(couponAdminCalls.createCoupon, { body: { code: newCode(), percent: 5 } }))
    .coupon

async function openCoupon(scene: Scene) {
  const { _id } = await createCoupon(scene)
  await scene.page.goto(`${ADMIN}/coupon/${_id}`)
  await scene.page.getByLabel('Percentage').fill('7')
}

/** Searches for products without changing what is entered. */
async function search(page: Page) {
  const field = page.getByRole('combobox', { name: 'Only for these products' })
  await field.fill('')
  await field.fill('no such cup')
}

export const COUPONS: AdminCall[] = [
  {
    call: couponAdminCalls.getCoupons,
    open: ({ page }) => page.goto(`${ADMIN}/coupons`),
    send: (page) => follow(page, 'Discounts'),
    failed: 'The discounts could not be loaded.',
  },
  {
    call: couponAdminCalls.getCoupon,
    open: async (scene) => {
      await createCoupon(scene)
      await scene.page.goto(`${ADMIN}/coupons`)
    },
    send: (page) => page.getByRole('link', { name: /^E2E/ }).first().click(),
    again: goBack,
    failed: UNREACHABLE,
  },
  {
    call: couponAdminCalls.createCoupon,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/create-coupon`)
      await page.getByLabel('Code', { exact: true }).fill(newCode())
      await page.getByLabel('Percentage').fill('7')
    },
    send: (page) => press(page, 'Create discount'),
    failed: 'The discount could not be saved.',
  },
  {
    call: couponAdminCalls.updateCoupon,
    open: openCoupon,
    send: (page) => press(page, 'Save'),
    failed: 'The discount could not be saved.',
  },
  {
    call: couponAdminCalls.deleteCoupon,
    open: async (scene) => {
      await openCoupon(scene)
      await press(scene.page, 'Delete discount')
    },
    send: (page) => confirm(page, 'Delete'),
    failed: 'The discount could not be deleted.',
  },
  {
    call: couponAdminCalls.exportCoupons,
    open: ({ page }) => page.goto(`${ADMIN}/coupons`),
    send: (page) => press(page, 'Export with orders'),
    failed: 'The file could not be downloaded.',
  },
  {
    call: productCalls.getProducts,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/create-coupon`)
      await page.getByLabel('Code', { exact: true }).fill(newCode())
      await page.getByRole('combobox', { name: 'Only for these products' }).fill('no such cup')
    },
    send: search,
    again: search,
    failed: 'The search failed.',
  },
]
