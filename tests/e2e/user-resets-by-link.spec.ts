import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, register, test } from '#tests/support/journey.ts'
import { type ShopProcess, startShopProcess } from '#tests/support/shop-process.ts'
import { mailSettings, openSmtp, type Smtp } from '#tests/support/smtp.ts'

/** A shop that sends e-mails: the other journeys share one that does not. */
const sending = test.extend<object, { smtp: Smtp; mailing: ShopProcess }>({
  smtp: [
    async ({ browserName: _ }, use) => {
      const smtp = await openSmtp()
      await use(smtp)
      await smtp.close()
    },
    { scope: 'worker' },
  ],
  mailing: [
    async ({ smtp }, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'haat-mailing-'))
      const shop = await startShopProcess({ ...mailSettings(smtp), DATA_DIR: dataDir, DEMO: 'off' })
      await use(shop)
      await shop.stop()
      await rm(dataDir, { recursive: true })
    },
    { scope: 'worker' },
  ],
  address: async ({ mailing }, use) => use(mailing.address),
})

/** The path of the last link to a page that a person was sent. */
async function linkTo(smtp: Smtp, { email }: { email: string }, page: string): Promise<string> {
  const find = () => {
    const texts = smtp.received.filter(({ to }) => to === email).map(({ text }) => text)
    return (
      new RegExp(`https://shop.example.com(/${page}#[\\w-]+)`).exec(texts.join('\n'))?.[1] ?? ''
    )
  }
  await expect.poll(find, { timeout: 20_000 }).not.toBe('')
  return find()
}

sending(
  'a customer confirms the address, and resets a forgotten password by e-mail',
  {
    tag: '@journey',
  },
  async ({ page, smtp, address }) => {
    const customer = await register(address)
    await page.goto(await linkTo(smtp, customer, 'confirm-email'))
    await page.getByRole('button', { name: 'Confirm my address' }).click()
    await expect(page.getByText('Your e-mail address is confirmed.')).toBeVisible()

    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot Password?' }).click()
    const byEmail = page.getByRole('region', { name: 'By e-mail' })
    await byEmail.getByLabel('Email').fill(customer.email)
    await byEmail.getByRole('button', { name: 'Send me a link' }).click()
    await expect(byEmail.getByRole('status')).toContainText('a link is on its way')
    await expect(page.getByRole('region', { name: 'By your security answer' })).toBeVisible()

    const link = await linkTo(smtp, customer, 'reset-password')
    await page.goto(link)
    await page.getByLabel('New Password').fill('another-horse')
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(page).toHaveURL('/login')

    await page.goto(link)
    await page.getByLabel('New Password').fill('stolen-horse')
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(page.getByText('This link was used already, or has expired.')).toBeVisible()
    await expect(page.getByLabel('New Password')).toHaveValue('stolen-horse')

    await page.goto('/login')
    await page.getByLabel('Email').fill(customer.email)
    await page.getByLabel('Password').fill('another-horse')
    await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
    await expect(page.getByText('Logged in successfully')).toBeVisible()
    await page.goto('/dashboard/user/profile')
    await expect(page.getByText(`${customer.email} is confirmed.`)).toBeVisible()
  },
)
