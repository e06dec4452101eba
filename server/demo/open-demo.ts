import { personalData } from '#app/modules.ts'
import type { OpenDatabase } from '#db/connect.ts'
import type { Database } from '#db/schema.ts'
import { DEMO_ADMIN, DEMO_CUSTOMER } from '#demo/accounts.ts'
import { isDemoLoaded, loadDemo } from '#demo/load-demo.ts'
import { endDemo, selectDemoUserIds, selectPublishedAccounts } from '#demo/lock-accounts.ts'
import type { Config } from '../config.ts'
import { signOfRealShop } from './real-shop.ts'

type Login = { email: string; password: string }

/** The login of the demo's admin, and the ids of its accounts. */
export type Demo = { admin: Login; userIds: ReadonlySet<string> }

/** `lines` are startup messages about the demo. */
export type OpenedDemo = { demo: Demo | null; lines: string[] }

const NO_DEMO: OpenedDemo = { demo: null, lines: [] }

const loginOf = ({ email, password }: Login): Login => ({ email, password })

const CREATE_ADMIN = 'npm run shop -- admin create --email YOUR-EMAIL --name YOUR-NAME'

/** The error of a public shop with demo accounts. */
const refusal = (sign: string, why: string) =>
  new Error(
    `${sign}, as in a real shop, but ${why}. Set DEMO=off, which locks the demo accounts at the next start, and make an admin of your own: ${CREATE_ADMIN}`,
  )

/** Starts without the demo; accounts loaded by an earlier start are locked. */
async function closeDemo(db: Database): Promise<OpenedDemo> {
  const locked = (await isDemoLoaded(db)) ? await endDemo(db, personalData) : []
  const line = `DEMO is off: ${locked.join(' and ')} can no longer log in. Make an admin of your own: ${CREATE_ADMIN}`
  return { demo: null, lines: locked.length > 0 ? [line] : [] }
}

/** Starts a public shop, which has no demo; throws when published logins still work. */
async function refuseDemo(sign: string, { DEMO }: Config, db: Database, isExamined: boolean) {
  if (DEMO === 'on') throw refusal(sign, 'DEMO is on')
  if (isExamined) return NO_DEMO
  const published = (await isDemoLoaded(db)) ? await selectPublishedAccounts(db) : []
  if (published.length === 0) return NO_DEMO
  throw refusal(sign, `the published demo logins work for ${published.join(' and ')}`)
}

/**
 * Loads the demo where it is enabled (by default in the embedded database only), the database is
 * empty, and no setting shows that the shop is public. `DEMO=off` locks the accounts of an earlier
 * demo. Throws a user-readable message when the shop must not open with the demo's accounts, which one
 * process of a machine examines.
 */
export async function openDemo(
  config: Config,
  { db, embedded }: OpenDatabase,
  { isExamined = false } = {},
): Promise<OpenedDemo> {
  if (config.DEMO === 'off') return closeDemo(db)
  const sign = signOfRealShop(config)
  if (sign) return refuseDemo(sign, config, db, isExamined)
  if (config.DEMO === 'on' || embedded) await loadDemo(db, config.CURRENCY_DISPLAY)
  if (!(await isDemoLoaded(db))) return NO_DEMO
  const userIds = await selectDemoUserIds(db)
  const [admin, customer] = [loginOf(DEMO_ADMIN), loginOf(DEMO_CUSTOMER)]
  const lines = [
    `Demo admin     ${admin.email} / ${admin.password}`,
    `Demo customer  ${customer.email} / ${customer.password}`,
  ]
  return { demo: { admin, userIds }, lines }
}
