import type { Page } from '@playwright/test'
import { attributeCalls } from '#app/products/attribute-contract.ts'
import { named } from '#tests/support/back-office.ts'
import { ADMIN, type AdminCall, confirm, follow, press, type Scene } from './admin-call.ts'

const PAGE = `${ADMIN}/attributes`

const fillName = (page: Page) => page.getByRole('dialog').getByLabel('Name').fill(named('Finish'))

/** Opens the dialog of an action on a new attribute. */
const asked = (action: string) =>
  async function open({ page, admin }: Scene) {
    const name = named('Material')
    const choices = [{ name: 'Oak' }, { name: 'Steel' }]
    await admin.call(attributeCalls.createAttribute, {
      body: { kind: 'choice', name, unit: null, isFilterable: true, choices },
    })
    await page.goto(PAGE)
    await page
      .getByRole('row')
      .filter({ hasText: name })
      .getByRole('button', { name: action })
      .click()
  }

export const ATTRIBUTES: AdminCall[] = [
  {
    call: attributeCalls.getAttributes,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/create-product`)
      await page.getByLabel('Name').fill('Tea cup')
    },
    send: (page) => follow(page, 'Create Product'),
    failed: 'The attributes could not be loaded.',
  },
  {
    call: attributeCalls.createAttribute,
    open: async ({ page }) => {
      await page.goto(PAGE)
      await press(page, 'New attribute')
      await fillName(page)
      await page.getByLabel('Add values of the attribute').fill('Oiled, Waxed')
    },
    send: (page) => confirm(page, 'Save attribute'),
    failed: 'The attribute could not be saved.',
  },
  {
    call: attributeCalls.updateAttribute,
    open: async (scene) => {
      await asked('Edit')(scene)
      await fillName(scene.page)
    },
    send: (page) => confirm(page, 'Save attribute'),
    failed: 'The attribute could not be saved.',
  },
  {
    call: attributeCalls.deleteAttribute,
    open: asked('Delete'),
    send: (page) => confirm(page, 'Delete'),
    failed: 'The attribute could not be deleted.',
  },
]
