import type { Page } from '@playwright/test'
import { productCalls } from '#app/products/contract.ts'
import { photoCalls } from '#app/products/photo-contract.ts'
import { createProduct, named, photoOf } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'

const COLOURS = { red: '#c01010', green: '#10a010', blue: '#1010c0' }

/** Uploads three photos at once on the page of the product. */
async function uploadThree(page: Page, slug: string) {
  await page.goto(`/dashboard/admin/product/${slug}`)
  const files = await Promise.all(
    Object.entries(COLOURS).map(async ([name, colour]) => ({
      ...(await photoOf(colour)),
      name: `${name}.jpg`,
    })),
  )
  await page.getByLabel('Choose photos').setInputFiles(files)
  await expect(page.getByRole('img', { name: 'Photo 3' })).toBeVisible()
}

test('photos are uploaded at once, ordered and described, and a guest sees all of them', {
  tag: ['@journey', '@phone'],
}, async ({ page, admin, call }) => {
  const { name, slug } = await createProduct(admin, named('Shirt'))
  const shown = async () =>
    (await call(productCalls.getProduct, { params: { slug } })).product.photos ?? []
  await uploadThree(page, slug)
  const [red, green, blue] = await shown()
  // a button that cannot be pressed says why, and keeps the keyboard's focus
  const first = page.getByRole('button', { name: 'Move earlier photo 1' })
  await expect(first).toBeDisabled()
  await expect(first).toHaveAccessibleDescription('It is the first photo.')
  await first.press('Enter')
  await expect(first).toBeFocused()
  await expect(page.getByRole('status').getByText('It is the first photo.')).toBeVisible()
  await page.getByRole('button', { name: 'Move earlier photo 3' }).click()
  await expect.poll(shown).toEqual([red, blue, green])
  const isSeen = (at: number, photo: typeof red) =>
    expect(page.getByRole('img', { name: `Photo ${at}` })).toHaveAttribute(
      'src',
      new RegExp(photo?._id ?? ''),
    )
  await isSeen(2, blue)
  await page.getByLabel('Text of photo 2').fill('The blue shirt')
  await page.keyboard.press('Enter')
  await expect.poll(shown).toEqual([red, { ...blue, alt: 'The blue shirt' }, green])
  await page.getByRole('button', { name: 'Move later photo 1' }).click()
  await isSeen(2, red)
  await page.getByRole('button', { name: 'Move later photo 2' }).click()
  await expect.poll(shown).toEqual([{ ...blue, alt: 'The blue shirt' }, green, red])
  await isSeen(3, red)
  await page.getByRole('button', { name: 'Remove photo 3' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove photo' }).click()
  await expect.poll(shown).toEqual([{ ...blue, alt: 'The blue shirt' }, green])

  await page.goto(`/product/${slug}`)
  const second = page.getByRole('img', { name: `${name}, photo 2` })
  await expect(page.getByRole('img', { name: 'The blue shirt' })).toBeInViewport()
  await expect(second).not.toBeInViewport()
  await page.getByRole('link', { name: 'Photo 2 of 2' }).click()
  await expect(second).toBeInViewport()
  await expect(page.getByRole('link', { name: 'Photo 2 of 2' })).toHaveAttribute('aria-current')
  await page.getByRole('link', { name: `Large photo of ${name}, photo 2` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(second).toBeInViewport()
})

test('photos are ordered by dragging them', async ({ page, admin, call }) => {
  const { slug } = await createProduct(admin, named('Shirt'))
  const shown = async () =>
    (await call(productCalls.getProduct, { params: { slug } })).product.photos ?? []
  await uploadThree(page, slug)
  const [red, green, blue] = await shown()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Remove photo 1' })
    .dragTo(page.getByRole('listitem').filter({ hasText: 'Remove photo 3' }))
  await expect.poll(shown).toEqual([green, blue, red])
})

test('what is no photo is refused by name, and the others are added', async ({ page, admin }) => {
  const { slug } = await createProduct(admin, named('Shirt'))
  await page.goto(`/dashboard/admin/product/${slug}`)
  const pdf = { name: 'text.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('%PDF-1.7') }
  await page.getByLabel('Choose photos').setInputFiles([pdf, await photoOf(COLOURS.red)])
  await expect(page.getByText(/^text.jpg: The photo must be a JPEG/)).toBeVisible()
  await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible()
})

test('the second photo of a card is loaded when the mouse is over it', async ({ page, admin }) => {
  const { _id: id, name } = await createProduct(admin, named('Shirt'))
  for (const colour of [COLOURS.red, COLOURS.blue]) {
    const { buffer } = await photoOf(colour)
    const photo = new File([new Uint8Array(buffer)], 'shirt.jpg')
    await admin.call(photoCalls.addPhoto, { params: { id }, body: {}, photo })
  }
  await page.goto(`/search?q=${encodeURIComponent(name)}`)
  const card = page.locator('article').filter({ hasText: name })
  const second = card.locator('img').nth(1)
  const width = () => second.evaluate((img: HTMLImageElement) => img.naturalWidth)
  await expect(second).toBeHidden()
  expect(await width()).toBe(0)
  await card.hover()
  await expect(second).toBeVisible()
  await expect.poll(width).not.toBe(0)
})
