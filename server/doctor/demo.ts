import { type Finding, problem, warning } from '#app/shared/server/doctor/finding.ts'
import type { Database } from '#db/schema.ts'
import { isDemoLoaded } from '#demo/load-demo.ts'
import { selectPublishedAccounts } from '#demo/lock-accounts.ts'
import type { Config } from '../config.ts'
import { signOfRealShop } from '../demo/real-shop.ts'

const ADVICE =
  'Set DEMO=off and start the shop again, which locks the demo accounts; make an admin with: npm run shop -- admin create'

/** Checks whether the published logins work, and whether they should. */
export async function examineDemo(config: Config, db: Database): Promise<Finding[]> {
  const published = await selectPublishedAccounts(db)
  if (published.length === 0) return []
  const found = `the published demo logins work for ${published.join(' and ')}`
  const sign = signOfRealShop(config) ?? (config.DEMO === 'off' ? 'DEMO is off' : null)
  if (sign) return [problem('Demo', `${found}, and ${sign}`, ADVICE)]
  return [warning('Demo', `${found}, at this machine only`, `Before others reach it: ${ADVICE}`)]
}

/** Whether the shop is a demo, which may use test payments. */
export const isDemo = async ({ DEMO }: Config, db: Database): Promise<boolean> =>
  DEMO !== 'off' && (await isDemoLoaded(db).catch(() => false))

/** Whether the first start will load the demo. */
export const willBeDemo = (config: Config): boolean =>
  config.DEMO !== 'off' && signOfRealShop(config) === null
