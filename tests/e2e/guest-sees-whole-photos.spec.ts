import type { Locator } from '@playwright/test'
import sharp from 'sharp'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { createCategory, createProduct, named } from '#tests/support/back-office.ts'
import { expect, logIn, test } from '#tests/support/journey.ts'

const EDGE = 60
/** The ends of the photo are red and blue, and its middle is white. */
async function tallPhoto(width = 1280, height = 1920) {
  const edge = (background: string) =>
    sharp({ create: { width, height: EDGE, channels: 3, background } })
      .png()
      .toBuffer()
  const middle = sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
  const picture = middle.composite([
    { input: await edge('#ff0000'), top: 0, left: 0 },
    { input: await edge('#0000ff'), top: height - EDGE, left: 0 },
  ])
  return new File([new Uint8Array(await picture.jpeg().toBuffer())], 'vase.jpg', {
    type: 'image/jpeg',
  })
}

/** The ends of the photo that are shown. */
async function shownEnds(photo: Locator): Promise<string[]> {
  await photo.scrollIntoViewIfNeeded()
  await expect
    .poll(() => photo.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth))
    .not.toBe(0)
  const { data, info } = await sharp(await photo.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  let red = false
  let blue = false
  for (let at = 0; at < data.length; at += info.channels) {
    const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3)
    red ||= r > 150 && g < 90 && b < 90
    blue ||= b > 150 && g < 90 && r < 90
  }
  return [...(red ? ['top'] : []), ...(blue ? ['bottom'] : [])]
}

const BOTH = ['top', 'bottom']

/** A product with the tall photo. */
async function addVase(address: string) {
  const admin = await logIn(address, DEMO_ADMIN)
  const { _id: category } = await createCategory(admin, named('Vases'))
  const body = { description: 'For stems.', price: 12, quantity: 5, category, shipping: 0 }
  const { products } = await admin.call(productAdminCalls.createProduct, {
    body: { name: named('Tall vase'), ...body },
    photo: await tallPhoto(),
  })
  return { admin, vase: products, category }
}

test('a photo is shown whole in lists and on its page, and opens large', {
  tag: ['@journey', '@phone'],
}, async ({ page, address }) => {
  const { vase } = await addVase(address)
  await page.goto(`/search?q=${encodeURIComponent(vase.name)}`)
  const card = page.locator('article').filter({ hasText: vase.name }).locator('img')
  expect(await shownEnds(card)).toEqual(BOTH)
  expect((await card.boundingBox())?.height).toBe(200)

  await page.goto(`/product/${vase.slug}`)
  const photo = page.getByRole('img', { name: vase.name, exact: true })
  expect(await shownEnds(photo)).toEqual(BOTH)
  expect((await photo.boundingBox())?.height).toBe(400)

  const opener = page.getByRole('link', { name: `Large photo of ${vase.name}` })
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: vase.name })
  const large = dialog.getByRole('img', { name: vase.name })
  expect(await shownEnds(large)).toEqual(BOTH)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()

  await opener.click()
  await dialog.getByRole('button', { name: 'Full size' }).click()
  await expect
    .poll(() => large.evaluate((img) => [img.clientWidth, img.clientHeight]))
    .toEqual([1280, 1920])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(`/product/${vase.slug}`)
})

test('without scripts the link of the photo leads to the large picture', async ({
  browser,
  address,
}) => {
  const { vase } = await addVase(address)
  const context = await browser.newContext({ baseURL: address, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`/product/${vase.slug}`)
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: `Large photo of ${vase.name}` }).click()
  await expect(await opened).toHaveURL(/product-photo\/.*w=1280/)
  await context.close()
})

test('a photo is shown whole in the back office', async ({ page, admin, address }) => {
  const { vase } = await addVase(address)
  await page.goto(`/dashboard/admin/product/${vase.slug}`)
  expect(await shownEnds(page.getByRole('img', { name: 'Photo 1' }))).toEqual(BOTH)

  const { slug } = await createProduct(admin, named('Wide vase'))
  await page.goto(`/dashboard/admin/product/${slug}`)
  const photo = await tallPhoto(2000, 400)
  await page.getByLabel('Choose photos').setInputFiles({
    name: photo.name,
    mimeType: photo.type,
    buffer: Buffer.from(await photo.arrayBuffer()),
  })
  expect(await shownEnds(page.getByRole('img', { name: 'Photo 1' }))).toEqual(BOTH)
})
