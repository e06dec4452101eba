import type { Page } from '@playwright/test'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import type { Visitor } from '#tests/support/journey.ts'

/** A page of the back office, its admin, and a customer of the shop. */
export type Scene = { page: Page; admin: Visitor; customer: Visitor; address: string }

/** How a page of the back office makes a call. */
export type AdminCall = {
  call: Endpoint
  /** Opens the page and enters what is sent: everything but the last step. */
  open: (scene: Scene) => Promise<unknown>
  /** The last step, which makes the call. */
  send: (page: Page) => Promise<unknown>
  /** The sentence of the page when there is no answer. */
  failed: string
  /** The sentence after every failure, where the page does not show the server's message. */
  always?: true
  /** The sentence of the page after success, where it does not show the server's message. */
  succeeded?: string
  /** In a shop of its own, whose environment sets no connection. */
  isUnset?: true
  /** After a failure, leads back to the state before the last step. */
  again?: (page: Page) => Promise<unknown>
}

export const ADMIN = '/dashboard/admin'

export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click()

/** Presses a button of the open dialog. */
export const confirm = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

/** Follows a link of the back office's menu; one to the shown page loads it again. */
export const follow = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Admin Page' })
    .getByRole('link', { name, exact: true })
    .click()

/** Opens the first order of the list. */
export const followOrder = (page: Page) =>
  page
    .getByRole('link', { name: /^Order \d+$/ })
    .first()
    .click()

export const goBack = (page: Page) => page.goBack()
