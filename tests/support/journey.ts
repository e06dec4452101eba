import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
  type WebError,
} from '@playwright/test'
import { accountCalls } from '#app/accounts/contract.ts'
import type { User } from '#app/accounts/session-contract.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { SESSION_KEY } from '#app/shared/web/browser-call.ts'
import type { Call } from '#app/shared/web/call.ts'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { callAs } from './call-as.ts'

export type Visitor = {
  user: User
  token: string
  email: string
  password: string
  /** The security answer. */
  answer: string
  /** Calls the API as this user. */
  call: Call
}

type Fixtures = {
  /** Whether the API may answer 5xx, in journeys that cause failures. */
  serverFails: boolean
  /** The address of the shop. */
  address: string
  /** Calls the API as a guest. */
  call: Call
  /** A new customer, registered and logged in through the API; the browser is not logged in. */
  customer: Visitor
  /** The customer, logged in in the browser of this test. */
  signedIn: Visitor
  /** The demo's admin, logged in in the browser of this test. */
  admin: Visitor
}

export async function register(
  address: string,
  { name = 'Asha Rao', email = `${crypto.randomUUID()}@example.com` } = {},
): Promise<Visitor> {
  const guest = callAs(address)
  const secrets = { email, password: 'correct-horse', answer: 'cricket' }
  await guest(accountCalls.register, {
    body: { name, phone: '555 0100', address: '1 Market Lane, Pune', ...secrets },
  })
  return logIn(address, secrets)
}

type Secrets = Pick<Visitor, 'email' | 'password' | 'answer'>

export async function logIn(
  address: string,
  { email, password, answer }: Secrets,
): Promise<Visitor> {
  const body = { email, password }
  const { user, token } = await callAs(address)(accountCalls.login, { body })
  return { user, token, ...body, answer, call: callAs(address, token) }
}

/** Stores the visitor's session where the shop's pages read it. */
export function keepSession(context: BrowserContext, origin: string, { user, token }: Visitor) {
  const session = { name: SESSION_KEY, value: JSON.stringify({ user, token }) }
  return context.setStorageState({ cookies: [], origins: [{ origin, localStorage: [session] }] })
}

type Expected = {
  serverFails: boolean
  /** Whether the pages have Playwright's clock. */
  hasClock?: boolean
}

/** A sandboxed frame refuses scripts: that of Playwright's clock, and axe's in the frame of an e-mail. */
const NO_SCRIPTS = "Blocked script execution in 'about:srcdoc'"
const EMAIL_PAGE = /\/dashboard\/admin\/email\//

/**
 * Expected failures: refusals of the API (which many journeys test), a missing page, and aborted
 * connections.
 */
function isExpected(message: ConsoleMessage, { serverFails, hasClock }: Expected): boolean {
  const { url } = message.location()
  if (message.text().startsWith(NO_SCRIPTS))
    return hasClock === true || EMAIL_PAGE.test(message.page()?.url() ?? '')
  const [failed, why] =
    /^Failed to load resource: .*(status of [45]\d\d|net::\w+)/.exec(message.text()) ?? []
  if (!failed) return false
  if (why === 'net::ERR_INTERNET_DISCONNECTED') return true
  if (why?.startsWith('status of 5') && !serverFails) return false
  const isPage = url === message.page()?.url()
  return !why?.startsWith('net:') && (isPage || new URL(url).pathname.startsWith(`${API_PREFIX}/`))
}

/** Errors and warnings of the browser, including React's failed hydration. */
function faultsOf(context: BrowserContext, expected: Expected) {
  const faults: string[] = []
  const onError = (error: WebError) => faults.push(error.error().message)
  const onMessage = (message: ConsoleMessage) => {
    const isFault = message.type() === 'error' || /hydrat/i.test(message.text())
    if (isFault && !isExpected(message, expected)) faults.push(message.text())
  }
  context.on('weberror', onError).on('console', onMessage)
  const end = () => context.off('weberror', onError).off('console', onMessage)
  return { faults, end }
}

/** Uses the context for one test, which any browser error fails. */
export async function useWithoutFaults(
  context: BrowserContext,
  expected: Expected,
  use: (context: BrowserContext) => Promise<void>,
) {
  const { faults, end } = faultsOf(context, expected)
  await use(context)
  end()
  expect(faults, 'what the browser complained of').toEqual([])
}

/** Waits for hydration: scripts load after the first paint, later than a test's first click. */
const isAlive = (page: Page) =>
  page
    .waitForFunction(
      () =>
        !('__reactRouterContext' in window) ||
        Object.keys(document).some((key) => key.startsWith('__reactContainer')),
      undefined,
      { timeout: 5000 },
    )
    // a journey may block the scripts
    .catch(() => {})

/**
 * The test function of every journey: a real browser at the running shop. Any browser error fails
 * it.
 */
export const test = base.extend<Fixtures>({
  page: async ({ page, javaScriptEnabled }, use) => {
    const goto = page.goto.bind(page)
    page.goto = async (...to) => {
      const answer = await goto(...to)
      if (javaScriptEnabled !== false) await isAlive(page)
      return answer
    }
    await use(page)
  },
  address: async ({ browserName: _ }, use) => use(process.env.SHOP_ADDRESS ?? ''),
  baseURL: async ({ address }, use) => use(address),
  call: async ({ address }, use) => use(callAs(address)),
  customer: async ({ address }, use) => use(await register(address)),
  signedIn: async ({ address, context, customer }, use) => {
    await keepSession(context, address, customer)
    await use(customer)
  },
  admin: async ({ address, context }, use) => {
    const admin = await logIn(address, DEMO_ADMIN)
    await keepSession(context, address, admin)
    await use(admin)
  },
  serverFails: [false, { option: true }],
  context: ({ context, serverFails }, use) => useWithoutFaults(context, { serverFails }, use),
})

export { expect }
