import type { OpenDatabase } from '#db/connect.ts'
import { DEMO_ADMIN, DEMO_CUSTOMER } from '#demo/accounts.ts'
import { isDemoLoaded, loadDemo } from '#demo/load-demo.ts'
import { endDemo, selectDemoUserIds, selectPublishedAccounts } from '#demo/lock-accounts.ts'
import type { Config } from '../config.ts'
import { signOfRealShop } from './real-shop.ts'

type Login = { email: string; password: string }

/** The demo's logins, and the ids of their accounts. */
export type Demo = { admin: Login; customer: Login; userIds: ReadonlySet<string> }

/** `lines` are startup messages about the demo. */
export type OpenedDemo = { demo: Demo | null; lines: string[] }

type Options = {
  /** Whether another process of this machine has examined the accounts. */
  isExamined?: boolean
}

const NO_DEMO: OpenedDemo = { demo: null, lines: [] }

const loginOf = ({ email, password }: Login): Login => ({ email, password })

const CREATE_ADMIN = 'npm run shop -- admin create --email YOUR-EMAIL --name YOUR-NAME'

const inWords = (emails: string[]) => emails.join(' and ')

/** The error of a public shop with demo accounts. */
const refusal = (sign: string, why: string) =>
  new Error(
    `${sign}, as in a real shop, but ${why}. Set DEMO=off, which locks the demo accounts at the next start, and make an admin of your own: ${CREATE_ADMIN}`,
  )

/** Starts without the demo; accounts loaded by an earlier start are locked. */
async function closeDemo({ db }: OpenDatabase): Promise<OpenedDemo> {
  if (!(await isDemoLoaded(db))) return NO_DEMO
  const locked = await endDemo(db)
  const line = `DEMO is off: ${inWords(locked)} can no longer log in. Make an admin of your own: ${CREATE_ADMIN}`
  return { demo: null, lines: locked.length > 0 ? [line] : [] }
}

/** Starts a public shop, which has no demo; throws when published logins still work. */
async function refuseDemo(
  sign: string,
  { DEMO }: Config,
  { db }: OpenDatabase,
  isExamined = false,
) {
  if (DEMO === 'on') throw refusal(sign, 'DEMO is on')
  if (isExamined || !(await isDemoLoaded(db))) return NO_DEMO
  const published = await selectPublishedAccounts(db)
  if (published.length === 0) return NO_DEMO
  throw refusal(sign, `the published demo logins work for ${inWords(published)}`)
}

/**
 * Loads the demo where it is enabled (by default in the embedded database only), the database is
 * empty, and no setting shows that the shop is public. `DEMO=off` locks the accounts of an earlier
 * demo. Throws a user-readable message when the shop must not open with the demo's accounts.
 */
export async function openDemo(
  config: Config,
  opened: OpenDatabase,
  { isExamined }: Options = {},
): Promise<OpenedDemo> {
  const { db, embedded } = opened
  if (config.DEMO === 'off') return closeDemo(opened)
  const sign = signOfRealShop(config)
  if (sign) return refuseDemo(sign, config, opened, isExamined)
  if (config.DEMO === 'on' || embedded) await loadDemo(db)
  if (!(await isDemoLoaded(db))) return NO_DEMO
  const userIds = await selectDemoUserIds(db)
  const demo = { admin: loginOf(DEMO_ADMIN), customer: loginOf(DEMO_CUSTOMER), userIds }
  return { demo, lines: demoLines(demo) }
}

/** The startup messages with the demo's logins. */
const demoLines = ({ admin, customer }: Demo) => [
  `Demo admin     ${admin.email} / ${admin.password}`,
  `Demo customer  ${customer.email} / ${customer.password}`,
]
