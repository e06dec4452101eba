import { expect, type Page } from '@playwright/test'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { categoryCalls } from '#app/categories/contract.ts'
import { productAdminCalls, productCsvCalls } from '#app/products/admin-contract.ts'
import { catalogueCalls } from '#app/products/catalogue-contract.ts'
import { photoCalls } from '#app/products/photo-contract.ts'
import { publicationCalls } from '#app/products/publication-contract.ts'
import { variantCalls } from '#app/products/variant-contract.ts'
import { UNREACHABLE } from '#app/shared/model/messages.ts'
import { createCategory, createProduct, named, photoOf } from '#tests/support/back-office.ts'
import { ADMIN, type AdminCall, confirm, follow, goBack, press, type Scene } from './admin-call.ts'

const newCategory = (page: Page) => page.getByLabel('Category name').first()

/** Selects a new product in the list, and opens the dialog of its prices. */
async function openPrices({ page, admin }: Scene) {
  const { name } = await createProduct(admin, named('Clay cup'))
  await page.goto(`${ADMIN}/products?q=${encodeURIComponent(name)}`)
  await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await press(page, 'Prices')
}

/** Opens the dialog of an action on a new category. */
const asked = (action: string) =>
  async function open({ page, admin }: Scene) {
    const { name } = await createCategory(admin, named('Cups'))
    await page.goto(`${ADMIN}/create-category`)
    await page
      .getByRole('row')
      .filter({ hasText: name })
      .getByRole('button', { name: action })
      .click()
  }

async function openNewProduct({ page, admin }: Scene) {
  const { name } = await createCategory(admin, named('Cups'))
  await page.goto(`${ADMIN}/create-product`)
  await page.getByRole('combobox', { name: 'Category', exact: true }).fill(name)
  await page.getByRole('option', { name }).click()
  await page.getByLabel('Name').fill(named('Tea cup'))
  await page.getByLabel('Description').fill('Holds tea.')
  await page.getByLabel('Price').fill('13')
  await page.getByLabel('Quantity').fill('5')
  await page.getByLabel('Photo: ').setInputFiles(await photoOf('teal'))
}

async function openProduct({ page, admin }: Scene) {
  const { slug } = await createProduct(admin, named('Clay cup'))
  await page.goto(`${ADMIN}/product/${slug}`)
  await page.getByLabel('Price').fill('13')
}

const CSV =
  'slug,name,description,price,quantity,category,shipping\r\n,Kettle,Whistles.,12,5,Kettles,yes'

async function chooseFile(page: Page) {
  await page.goto(`${ADMIN}/import-export`)
  await page.getByLabel('CSV file').setInputFiles({
    name: 'products.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(CSV),
  })
  await page.getByLabel('Create missing categories').check()
}

export const PRODUCTS: AdminCall[] = [
  {
    call: categoryCalls.getCategories,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/create-product`)
      await page.getByLabel('Name').fill('Tea cup')
    },
    send: (page) => follow(page, 'Create Product'),
    failed: 'Something wwent wrong in getting catgeory',
  },
  {
    call: categoryAdminCalls.countCategories,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/create-category`)
      await newCategory(page).fill('Mugs')
    },
    send: (page) => follow(page, 'Create Category'),
    failed: 'Something wwent wrong in getting catgeory',
  },
  {
    call: categoryAdminCalls.createCategory,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/create-category`)
      await newCategory(page).fill(named('Mugs'))
    },
    send: (page) => press(page, 'Submit'),
    failed: 'somthing went wrong in input form',
  },
  {
    call: categoryAdminCalls.updateCategory,
    open: async (scene) => {
      await asked('Edit')(scene)
      await scene.page.getByRole('dialog').getByRole('textbox').fill(named('Mugs'))
    },
    send: (page) => confirm(page, 'Submit'),
    failed: 'Somtihing went wrong',
  },
  {
    call: categoryAdminCalls.deleteCategory,
    open: asked('Delete'),
    send: (page) => confirm(page, 'Delete'),
    failed: 'Somtihing went wrong',
  },
  {
    call: catalogueCalls.listCatalogue,
    open: async ({ page }) => {
      // a list that finds nothing: a failed search shows none of the former one
      await page.goto(`${ADMIN}/products?q=nothing-is-named-so`)
      await page.getByLabel('Search by name').fill('cup')
    },
    send: (page) => press(page, 'Find'),
    failed: 'Someething Went Wrong',
  },
  {
    call: catalogueCalls.changeProducts,
    open: async (scene) => {
      await openPrices(scene)
      await scene.page.getByLabel('Percentage').fill('5')
      await expect(scene.page.getByText('1 product would change.')).toBeVisible()
    },
    send: (page) => confirm(page, 'Change prices'),
    failed: 'The products could not be changed.',
  },
  {
    call: catalogueCalls.undoChange,
    open: async (scene) => {
      await openPrices(scene)
      await scene.page.getByLabel('Percentage').fill('5')
      await confirm(scene.page, 'Change prices')
      await scene.page.getByRole('button', { name: 'Undo' }).hover()
    },
    send: (page) => press(page, 'Undo'),
    failed: 'The change could not be undone.',
  },
  {
    call: variantCalls.getVariants,
    open: async ({ page, admin }) => {
      await createProduct(admin, 'Cup of silver')
      await page.goto(`${ADMIN}/create-order`)
      await page.getByRole('combobox', { name: 'Add a product' }).focus()
    },
    // the variants of a product that is found alone are loaded with it
    send: (page) => page.getByRole('combobox', { name: 'Add a product' }).fill('Cup of silver'),
    again: (page) => page.getByRole('combobox', { name: 'Add a product' }).fill(''),
    failed: 'The search failed.',
  },
  {
    call: catalogueCalls.getStockHistory,
    open: openProduct,
    send: (page) => press(page, 'History of the stock'),
    again: (page) => page.keyboard.press('Escape'),
    failed: 'The history could not be loaded.',
  },
  {
    call: publicationCalls.openProduct,
    open: async ({ page, admin }) => {
      const { name } = await createProduct(admin, named('Clay cup'))
      await page.goto(`${ADMIN}/products?q=${encodeURIComponent(name)}`)
    },
    send: (page) =>
      page.getByRole('table', { name: 'All Products' }).getByRole('link', { name: /cup/ }).click(),
    again: goBack,
    failed: UNREACHABLE,
  },
  {
    call: productAdminCalls.createProduct,
    open: openNewProduct,
    send: (page) => press(page, 'CREATE PRODUCT'),
    failed: 'something went wrong',
  },
  {
    call: productAdminCalls.updateProduct,
    open: openProduct,
    send: (page) => press(page, 'UPDATE PRODUCT'),
    failed: 'The product could not be saved.',
  },
  {
    call: photoCalls.addPhoto,
    open: openProduct,
    send: async (page) => page.getByLabel('Choose photos').setInputFiles(await photoOf('teal')),
    again: (page) => press(page, 'Dismiss'),
    failed: 'The photo could not be uploaded.',
  },
  {
    call: photoCalls.savePhotos,
    open: async (scene) => {
      await openProduct(scene)
      await scene.page.getByLabel('Choose photos').setInputFiles(await photoOf('teal'))
      await scene.page.getByLabel('Text of photo 1').fill('A cup')
    },
    send: (page) => page.getByLabel('Text of photo 1').press('Enter'),
    failed: 'The photos could not be saved.',
  },
  {
    call: productAdminCalls.deleteProduct,
    open: async (scene) => {
      await openProduct(scene)
      await press(scene.page, 'DELETE PRODUCT')
      await scene.page.getByLabel('Type anything to continue').fill('yes')
      await confirm(scene.page, 'OK')
    },
    send: (page) => confirm(page, 'Delete product'),
    failed: 'The product could not be deleted.',
  },
  {
    call: productCsvCalls.exportProducts,
    open: ({ page }) => page.goto(`${ADMIN}/import-export`),
    send: (page) => press(page, 'Export products'),
    failed: 'The file could not be downloaded.',
  },
  {
    call: productCsvCalls.importProducts,
    open: ({ page }) => chooseFile(page),
    send: (page) => press(page, 'Check the file'),
    failed: 'The file could not be checked.',
  },
  {
    call: productCsvCalls.importProducts,
    open: async ({ page }) => {
      await chooseFile(page)
      await press(page, 'Check the file')
    },
    send: (page) => press(page, 'Import 1 row'),
    again: (page) => press(page, 'Check the file'),
    failed: 'The connection was lost during the import.',
  },
]
