import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { auditCalls } from '#app/audit/admin-contract.ts'
import { UNREACHABLE } from '#app/shared/model/messages.ts'
import { register } from '#tests/support/journey.ts'
import { ADMIN, type AdminCall, confirm, press, type Scene } from './admin-call.ts'

/** Opens the dialog of an action on a new customer. */
const asked = (action: string) =>
  async function open({ page, address }: Scene) {
    const { email } = await register(address)
    await page.goto(`${ADMIN}/users?q=${encodeURIComponent(email)}`)
    await press(page, action)
  }

export const PEOPLE: AdminCall[] = [
  {
    call: userAdminCalls.checkAdmin,
    open: ({ page }) => page.goto('/'),
    send: (page) => page.goto(`${ADMIN}/users`),
    again: (page) => page.goto('/'),
    failed: UNREACHABLE,
    always: true,
  },
  {
    call: userAdminCalls.getAllUsers,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/users`)
      await page.getByLabel('Search by name or e-mail').fill('Asha')
    },
    send: (page) => press(page, 'Find'),
    failed: 'The users could not be loaded.',
  },
  {
    call: userAdminCalls.setUserRole,
    open: asked('Make admin'),
    send: (page) => confirm(page, 'Make admin'),
    failed: 'The role could not be changed.',
  },
  {
    call: userAdminCalls.endUserSessions,
    open: asked('End sessions'),
    send: (page) => confirm(page, 'End sessions'),
    failed: 'The sessions could not be ended.',
  },
  {
    call: userAdminCalls.closeUserAccount,
    open: asked('Close account'),
    send: (page) => confirm(page, 'Close account'),
    failed: 'The account could not be closed.',
  },
  {
    call: auditCalls.getAuditLog,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/history`)
      await page.getByLabel('From').fill('2020-01-01')
    },
    send: (page) => press(page, 'Find'),
    failed: 'The history could not be loaded.',
  },
]
