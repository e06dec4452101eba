import type { Page } from '@playwright/test'
import { expect } from './journey.ts'
import type { Fixtures } from './long-names.ts'

type State = (page: Page, shop: Fixtures) => Promise<unknown>
/** A page with the states in which it is checked. */
export type PageStates = {
  as?: 'customer' | 'admin'
  /** The URL, if it is not the pattern itself. */
  at?: (shop: Fixtures) => string
  /** A heading that is visible when the page's data is loaded. */
  heading: string | RegExp | ((shop: Fixtures) => string)
  /** Further states of the page; each continues from the one before. */
  states?: Record<string, State>
  /** Files that load after the page, by their names without an ending: these states show them. */
  late?: string[]
  /** Those that only other tests load, such as those of the first hour. */
  lateElsewhere?: string[]
  /** axe rules with false positives in those states. */
  except?: string[]
}

/** The pages by the patterns of their URLs. */
export type States = Record<string, PageStates>

/** Presses the first button of this name. */
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click()
export const pressEscape = (page: Page) => page.keyboard.press('Escape')
/** Waits for a dialog. */
export const isAsked = (page: Page) => expect(page.getByRole('dialog').last()).toBeVisible()
