import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { auditCalls } from '#app/audit/admin-contract.ts'
import { UNREACHABLE } from '#app/shared/model/messages.ts'
import { register } from '#tests/support/journey.ts'
import { ADMIN, type AdminCall, confirm, follow, goBack, press, type Scene } from './admin-call.ts'

/** Opens the page of a new customer. */
async function openCustomer({ page, address }: Scene) {
  const { user } = await register(address)
  await page.goto(`${ADMIN}/users/${user._id}`)
  return user
}

/** Opens the dialog of an action on a new customer. */
const asked = (action: string) =>
  async function open(scene: Scene) {
    await openCustomer(scene)
    await press(scene.page, action)
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
    send: (page) => page.getByLabel('Search by name or e-mail').press('Enter'),
    failed: 'The users could not be loaded.',
  },
  {
    call: userAdminCalls.getUser,
    open: async ({ page, address }) => {
      const { user } = await register(address)
      await page.goto(`${ADMIN}/users?${new URLSearchParams({ q: user.email })}`)
    },
    send: (page) => page.getByRole('table').getByRole('link', { name: 'Asha Rao' }).click(),
    again: goBack,
    failed: UNREACHABLE,
  },
  {
    call: userAdminCalls.exportUserData,
    open: openCustomer,
    send: (page) => press(page, 'Export data'),
    failed: 'The file could not be downloaded.',
  },
  {
    call: userAdminCalls.addUserNote,
    open: async (scene) => {
      await openCustomer(scene)
      await press(scene.page, 'Add a note')
      await scene.page.getByLabel('Note', { exact: true }).fill('Prefers blue.')
    },
    send: (page) => confirm(page, 'Add note'),
    failed: 'The note could not be added.',
  },
  {
    call: userAdminCalls.deleteUserNote,
    open: async (scene) => {
      const { _id: userId } = await openCustomer(scene)
      const body = { text: 'Prefers blue.' }
      await scene.admin.call(userAdminCalls.addUserNote, { params: { userId }, body })
      await scene.page.reload()
      await press(scene.page, 'Delete note')
    },
    send: (page) => confirm(page, 'Delete'),
    failed: 'The note could not be deleted.',
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
    open: ({ page }) => page.goto(`${ADMIN}/history`),
    send: (page) => follow(page, 'History'),
    failed: 'The history could not be loaded.',
  },
]
