/**
 * No call of the back office fails silently: each one of the table is made to fail in four ways, and the
 * page shows a sentence, keeps what was entered, and sends it when the fault is over.
 */
import type { Page, Request, Response, Route } from '@playwright/test'
import { setupCalls } from '#app/setup/contract.ts'
import { API_PREFIX, type Endpoint } from '#app/shared/contract/endpoint.ts'
import { ANSWER_TIMEOUT_MS, UPLOAD_TIMEOUT_MS } from '#app/shared/web/browser-call.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
import { type AdminCall, press, type Scene } from '#tests/support/admin-calls/admin-call.ts'
import { ADMIN_CALLS } from '#tests/support/admin-calls/all.ts'
import { codeIn } from '#tests/support/first-run.ts'
import { expect } from '#tests/support/journey.ts'
import {
  testInOneShop as test,
  testInNewShop,
  test as testInOwnShop,
} from '#tests/support/own-shop.ts'

const testUnset = testInOwnShop.extend<object>({
  environment: {},
  page: async ({ page }, use) => {
    await page.clock.install()
    await use(page)
  },
})

test.use({ serverFails: true })
testUnset.use({ serverFails: true })

const titleOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Whether a request of the page makes the call. */
function isOf({ method, path }: Endpoint, request: Request) {
  const pattern = new RegExp(`^${API_PREFIX}${path.replace(/:\w+/g, '[^/]+')}$`)
  return request.method() === method && pattern.test(new URL(request.url()).pathname)
}

const isOfApi = (url: URL) => url.pathname.startsWith(API_PREFIX)

type Fault = {
  /** The server's message; null when there is no answer. */
  message: string | null
  handle: (route: Route) => unknown
  isEndless?: true
  /** Later calls fail, too: a page may reload its data after a failure. */
  isLasting?: true
}

const refusal = (status: number, code: string, message: string): Fault => ({
  message,
  handle: (route) =>
    route.fulfill({ status, json: { success: false, code, message, requestId: 'req-1' } }),
})

const FAULTS: Fault[] = [
  refusal(500, 'internal', 'The server has failed on purpose.'),
  refusal(409, 'conflict', 'Another admin has changed this meanwhile.'),
  { message: null, handle: () => {}, isEndless: true },
  { message: null, handle: (route) => route.abort('internetdisconnected'), isLasting: true },
]

/** Returns how to let the call fail from now on, and how to let it succeed. */
async function interceptCall(page: Page, call: Endpoint) {
  let present: Fault | null = null
  let isLost = false
  await page.route(isOfApi, async (route) => {
    if (!present || !(isLost || isOf(call, route.request()))) return route.fallback()
    isLost = present.isLasting ?? false
    await present.handle(route)
  })
  return (fault: Fault | null) => {
    present = fault
    isLost = false
  }
}

/** Not by role: roles of all elements are computed at each look. */
const sentences = (page: Page, text: string) =>
  page.locator('[role=alert], [role=status], h1, h2').filter({ hasText: text, visible: true })

/** The values of all fields in the page and its dialogs, and whether something is waited for. */
const stateOf = (page: Page) =>
  page.evaluate(() => {
    const fields = ['main', 'dialog'].map((part) => `${part} :is(input, select, textarea)`).join()
    return {
      isBusy: document.querySelector('[aria-busy=true]') !== null,
      entered: [...document.querySelectorAll(fields)].map((field) => {
        const { name, type, value, checked, files } = field as HTMLInputElement
        const present = type === 'checkbox' ? checked : value
        return [name, files ? [...files].map((file) => file.name) : present]
      }),
    }
  })

/** Lets toasts with the text disappear. */
async function passTime(page: Page, text: string) {
  if ((await sentences(page, text).count()) === 0) return
  await page.mouse.move(0, 0)
  await expect(async () => {
    await page.clock.fastForward(5000)
    await expect(sentences(page, text)).toHaveCount(0, { timeout: 100 })
  }).toPass({ intervals: [20, 50, 100] })
}

/** A call on a page that is open. */
type OpenCall = Omit<AdminCall, 'open'>

/** Makes the call, which fails, and waits for the sentence. */
async function fail(page: Page, { call, send }: OpenCall, fault: Fault, sentence: string) {
  const sent = page.waitForRequest((request) => isOf(call, request))
  await send(page)
  await sent
  if (fault.isEndless) {
    const hasFile = call.upload !== undefined || call.multipart
    await page.clock.fastForward(hasFile ? UPLOAD_TIMEOUT_MS : ANSWER_TIMEOUT_MS)
  }
  await expect(sentences(page, sentence).first(), 'the failure is shown').toBeVisible()
}

/** The message of a success, which the page shows; null for data and files. */
async function messageIn(response: Response): Promise<string | null> {
  if (response.request().method() === 'GET') return null
  const isJson = response.headers()['content-type']?.startsWith('application/json')
  const answer = isJson ? await response.json() : null
  return answer?.success === true && answer.message ? answer.message : null
}

async function succeed(page: Page, { call, send, failed, succeeded }: OpenCall) {
  const answered = page.waitForResponse((response) => isOf(call, response.request()))
  await send(page)
  const response = await answered
  expect(response.ok(), 'the call succeeds after the fault').toBe(true)
  const message = succeeded ?? (await messageIn(response))
  if (message) await expect(sentences(page, message).first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await passTime(page, failed)
}

/** Lets the call fail in every way, and then succeed. */
async function failAndSucceed(page: Page, one: OpenCall) {
  await page.locator('main h1').first().waitFor({ state: 'attached' })
  const before = await stateOf(page)
  const set = await interceptCall(page, one.call)
  for (const fault of FAULTS) {
    const sentence = one.always ? one.failed : (fault.message ?? one.failed)
    // else one of an earlier failure would be found
    await passTime(page, sentence)
    set(fault)
    await fail(page, one, fault, sentence)
    set(null)
    await one.again?.(page)
    await expect
      .poll(() => stateOf(page), { message: 'nothing waits, and what was entered is still there' })
      .toEqual({ ...before, isBusy: false })
  }
  await succeed(page, one)
}

const FIRST_ADMIN = {
  'Shop name': 'Tea House',
  'Your name': 'Ada',
  Email: 'ada@example.com',
  Password: 'correct-horse',
}

const paths = new Map<Endpoint, number>()

for (const one of ADMIN_CALLS) {
  const { call, open } = one
  const times = (paths.get(call) ?? 0) + 1
  paths.set(call, times)
  const title = times === 1 ? titleOf(call) : `${titleOf(call)}, page ${times}`
  const sentence = `${title} fails with a sentence, and nothing entered is lost`
  const attempt = async ({ page, admin, customer, address }: Scene) => {
    await open({ page, admin, customer, address })
    await failAndSucceed(page, one)
  }
  if (one.isUnset) testUnset(sentence, attempt)
  else test(sentence, attempt)
}

testInNewShop(
  'the first run fails with a sentence, and nothing entered is lost',
  async ({ page, shop }) => {
    const code = codeIn(shop.written())
    await page.clock.install()
    await page.goto('/first-run')
    for (const [label, value] of Object.entries({ ...FIRST_ADMIN, Code: code }))
      await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByLabel('Country', { exact: true }).selectOption('IN')
    await page.getByLabel('Currency', { exact: true }).selectOption('USD')
    await failAndSucceed(page, {
      call: setupCalls.makeFirstAdmin,
      send: () => press(page, 'Open the shop'),
      failed: MESSAGES.somethingWentWrong,
    })
  },
)
