import type { Page } from '@playwright/test'
import { shippingAdminCalls } from '#app/shipping/admin-contract.ts'
import { TAX_CLASSES_FAILED, taxAdminCalls } from '#app/taxes/admin-contract.ts'
import { named } from '#tests/support/back-office.ts'
import { addPlace } from '#tests/support/places.ts'
import { FLAT } from '#tests/support/shipping.ts'
import { ADMIN, type AdminCall, confirm, follow, press, type Scene } from './admin-call.ts'

const dialog = (page: Page) => page.getByRole('dialog')

async function createZone({ admin }: Scene, country: string) {
  const body = { name: named('North'), isDefault: false, places: [{ country }], rates: [FLAT] }
  return (await admin.call(shippingAdminCalls.createZone, { body })).zone
}

/** Opens the dialog of an action on a new tax class. */
const askedOfClass = (action: string) =>
  async function open({ page, admin }: Scene) {
    const name = named('Books')
    await admin.call(taxAdminCalls.createTaxClass, { body: { name } })
    await page.goto(`${ADMIN}/taxes`)
    const one = page.getByRole('listitem').filter({ hasText: name })
    await one.getByRole('button', { name: action }).click()
  }

/** The calls on a new tax rate. */
const askedOfRate = (action: string, country: string) =>
  async function open({ page, admin }: Scene) {
    const name = named('VAT')
    await admin.call(taxAdminCalls.createTaxRate, { body: { name, country, rate: 20 } })
    await page.goto(`${ADMIN}/taxes`)
    const one = page.getByRole('row').filter({ hasText: name })
    await one.getByRole('button', { name: action }).click()
  }

const SHIPPING: AdminCall[] = [
  {
    call: shippingAdminCalls.getZones,
    open: ({ page }) => page.goto(`${ADMIN}/shipping`),
    send: (page) => follow(page, 'Shipping'),
    failed: 'The shipping zones could not be loaded.',
  },
  {
    call: shippingAdminCalls.createZone,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/shipping/new`)
      await page.getByLabel('Name').first().fill(named('North'))
      await addPlace(page, 'Iceland')
      await page.getByLabel(/^Default zone/).check()
      const rate = page.getByRole('group', { name: 'Rate 1' })
      await rate.getByLabel('Name').fill('Standard')
      await rate.getByRole('textbox', { name: 'Price' }).fill('40')
    },
    send: (page) => press(page, 'Save zone'),
    failed: 'The shipping zone could not be saved.',
  },
  {
    call: shippingAdminCalls.updateZone,
    open: async (scene) => {
      const { _id } = await createZone(scene, 'NO')
      await scene.page.goto(`${ADMIN}/shipping/${_id}`)
      await scene.page.getByLabel('Name').first().fill(named('Far north'))
    },
    send: (page) => press(page, 'Save zone'),
    failed: 'The shipping zone could not be saved.',
  },
  {
    call: shippingAdminCalls.deleteZone,
    open: async (scene) => {
      const { name } = await createZone(scene, 'SE')
      await scene.page.goto(`${ADMIN}/shipping`)
      const zone = scene.page.getByRole('region', { name })
      await zone.getByRole('button', { name: 'Delete' }).click()
    },
    send: (page) => confirm(page, 'Delete'),
    failed: 'The shipping zone could not be deleted.',
  },
]

const TAXES: AdminCall[] = [
  {
    call: taxAdminCalls.getTaxes,
    open: ({ page }) => page.goto(`${ADMIN}/taxes`),
    send: (page) => follow(page, 'Taxes'),
    failed: 'The taxes could not be loaded.',
  },
  {
    call: taxAdminCalls.getTaxClasses,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/create-product`)
      await page.getByLabel('Name').fill('Tea cup')
    },
    send: (page) => follow(page, 'Create Product'),
    failed: TAX_CLASSES_FAILED,
  },
  {
    call: taxAdminCalls.saveTaxSettings,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/taxes`)
      await press(page, 'Change')
      await page.getByLabel("Seller's address").fill('1 Market Lane, Pune')
    },
    send: (page) => confirm(page, 'Save settings'),
    failed: 'The tax settings could not be saved.',
  },
  {
    call: taxAdminCalls.createTaxClass,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/taxes`)
      await press(page, 'Add a class')
      await dialog(page).getByLabel('Name').fill(named('Books'))
    },
    send: (page) => confirm(page, 'Save class'),
    failed: 'The tax class could not be saved.',
  },
  {
    call: taxAdminCalls.updateTaxClass,
    open: async (scene) => {
      await askedOfClass('Rename')(scene)
      await dialog(scene.page).getByLabel('Name').fill(named('Papers'))
    },
    send: (page) => confirm(page, 'Save class'),
    failed: 'The tax class could not be saved.',
  },
  {
    call: taxAdminCalls.deleteTaxClass,
    open: askedOfClass('Delete'),
    send: (page) => confirm(page, 'Delete'),
    failed: 'The tax class could not be deleted.',
  },
  {
    call: taxAdminCalls.createTaxRate,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/taxes`)
      await press(page, 'Add a rate')
      await dialog(page).getByLabel('Name').fill(named('VAT'))
      await dialog(page).getByLabel('Rate in percent').fill('24')
      await dialog(page).getByLabel('Country').selectOption('Iceland')
    },
    send: (page) => confirm(page, 'Save rate'),
    failed: 'The tax rate could not be saved.',
  },
  {
    call: taxAdminCalls.updateTaxRate,
    open: async (scene) => {
      await askedOfRate('Edit', 'NO')(scene)
      await dialog(scene.page).getByLabel('Rate in percent').fill('25')
    },
    send: (page) => confirm(page, 'Save rate'),
    failed: 'The tax rate could not be saved.',
  },
  {
    call: taxAdminCalls.deleteTaxRate,
    open: askedOfRate('Delete', 'SE'),
    send: (page) => confirm(page, 'Delete'),
    failed: 'The tax rate could not be deleted.',
  },
]

export const PLACES: AdminCall[] = [...SHIPPING, ...TAXES]
