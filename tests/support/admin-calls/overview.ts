import { overviewCalls } from '#app/overview/admin-contract.ts'
import { ADMIN, type AdminCall, press } from './admin-call.ts'

export const OVERVIEW: AdminCall[] = [
  {
    call: overviewCalls.getWaiting,
    open: ({ page }) => page.goto(ADMIN),
    send: (page) => page.getByRole('button', { name: /^Waiting for you/ }).click(),
    again: (page) => page.keyboard.press('Escape'),
    failed: 'What waits could not be loaded.',
    always: true,
  },
  {
    call: overviewCalls.search,
    open: async ({ page }) => {
      await page.goto(ADMIN)
      await press(page, 'Search')
      await page.getByRole('dialog').getByRole('combobox').waitFor()
    },
    send: (page) => page.getByRole('dialog').getByRole('combobox').pressSequentially('cu'),
    again: (page) => page.getByRole('dialog').getByRole('combobox').clear(),
    failed: 'The search failed.',
  },
]
