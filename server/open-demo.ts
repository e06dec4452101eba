import type { OpenDatabase } from '#db/connect.ts'
import { DEMO_ADMIN, DEMO_CUSTOMER } from '#db/demo/accounts.ts'
import { isDemoLoaded, loadDemo } from '#db/demo/load-demo.ts'
import type { Config } from './config.ts'

type Login = { email: string; password: string }

/** The demo's logins, while there is a demo. */
export type Demo = { admin: Login; customer: Login }

const loginOf = ({ email, password }: Login): Login => ({ email, password })

/**
 * Loads the demo where it is wanted (by default into the embedded database only) and the
 * database is empty. Answers null where there is no demo, or none is to be told of.
 */
export async function openDemo(
  { DEMO }: Config,
  { db, embedded }: OpenDatabase,
): Promise<Demo | null> {
  if (DEMO === 'off') return null
  if (DEMO === 'on' || embedded) await loadDemo(db)
  if (!(await isDemoLoaded(db))) return null
  return { admin: loginOf(DEMO_ADMIN), customer: loginOf(DEMO_CUSTOMER) }
}

/** The lines that tell the demo's logins. */
export const demoLines = ({ admin, customer }: Demo) => [
  `Demo admin     ${admin.email} / ${admin.password}`,
  `Demo customer  ${customer.email} / ${customer.password}`,
]
