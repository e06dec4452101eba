import { paymentCalls } from '#app/payments/contract.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { expect, test } from '#tests/support/journey.ts'

/** All events of the dialog, in order. */
type Told = [event: string, facts?: unknown][]

const dialogTest = test.extend<{
  openDialog: (choices?: {
    retry: { enabled: boolean }
  }) => Promise<{ id: string; told: () => Promise<Told> }>
}>({
  openDialog: async ({ page, customer }, use) => {
    await use(async (choices = { retry: { enabled: true } }) => {
      const { id, amount, currency, key, checkout } = await customer.call(
        paymentCalls.startPayment,
        { body: { amount: 123_450 } },
      )
      await page.goto('/')
      await page.addScriptTag({ url: checkout })
      const told = await page.evaluateHandle((): Told => [])
      await told.evaluate(
        (told, { id, ...facts }) => {
          if (!window.Razorpay) throw new Error('The script defines no Razorpay')
          const dialog = new window.Razorpay({
            ...facts,
            name: 'Haat',
            description: '2 items',
            order_id: id,
            prefill: { name: '', email: '', contact: '' },
            handler: (proof) => told.push(['paid', proof]),
            modal: { ondismiss: () => told.push(['dismissed']) },
          })
          dialog.on('payment.failed', (failed) => told.push(['failed', failed]))
          dialog.open()
        },
        { id, amount, currency, decimals: 2, key, ...choices },
      )
      return { id, told: () => told.jsonValue() }
    })
  },
})

const TITLE = 'Test payment — no money moves'

dialogTest.describe("the sandbox's dialog", () => {
  dialogTest('says that it is a test and what is to be paid', async ({ page, openDialog }) => {
    await openDialog()
    const dialog = page.getByRole('dialog', { name: TITLE })
    await expect(dialog).toContainText('₹1,234.50')
    await expect(dialog).toContainText('Haat')
    await expect(dialog.getByRole('button', { name: 'Pay' })).toBeFocused()
  })

  dialogTest(
    'hands back a signed payment on Pay',
    { tag: '@phone' },
    async ({ page, openDialog }) => {
      const { id, told } = await openDialog()
      await page.getByRole('button', { name: 'Pay' }).click()
      await expect(page.getByRole('dialog')).toBeHidden()
      expect(await told()).toEqual([
        [
          'paid',
          {
            razorpay_order_id: id,
            razorpay_payment_id: expect.stringMatching(/^pay_\w+$/),
            razorpay_signature: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
        ],
      ])
    },
  )

  dialogTest('tells of a failure on Decline and lets try again', async ({ page, openDialog }) => {
    const { id, told } = await openDialog()
    await page.getByRole('button', { name: 'Decline' }).click()
    await expect(page.getByRole('alert')).toHaveText('The payment was declined. You can try again.')
    const failure = { reason: 'payment_failed', metadata: { order_id: id } }
    expect(await told()).toEqual([['failed', { error: expect.objectContaining(failure) }]])
    await page.getByRole('button', { name: 'Pay' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    expect((await told()).map(([event]) => event)).toEqual(['failed', 'paid'])
  })

  dialogTest('goes on Decline where nobody is to try again', async ({ page, openDialog }) => {
    const { told } = await openDialog({ retry: { enabled: false } })
    await page.getByRole('button', { name: 'Decline' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    expect((await told()).map(([event]) => event)).toEqual(['failed', 'dismissed'])
  })

  dialogTest('is dismissed once by Close and by Escape', async ({ page, openDialog }) => {
    for (const leave of [
      () => page.getByRole('button', { name: 'Close' }).click(),
      () => page.keyboard.press('Escape'),
    ]) {
      const { told } = await openDialog()
      await leave()
      await expect(page.getByRole('dialog')).toBeHidden()
      expect(await told()).toEqual([['dismissed']])
    }
  })

  dialogTest('tells why when the payment cannot be made', async ({ page, openDialog }) => {
    const { told } = await openDialog()
    const json = { success: false, code: 'invalid', message: 'This payment is already settled.' }
    await page.route(`${API_PREFIX}/payment/sandbox/pay`, (route) =>
      route.fulfill({ status: 400, json }),
    )
    await page.getByRole('button', { name: 'Pay' }).click()
    await expect(page.getByRole('alert')).toContainText(json.message)
    expect((await told()).map(([event]) => event)).toEqual(['failed'])
    await expect(page.getByRole('button', { name: 'Pay' })).toBeEnabled()
  })
})
