import { type Finding, ok, problem, warning } from '#app/shared/server/doctor/finding.ts'
import type { Examination } from '#app/shared/server/domain-module.ts'
import type { Database } from '#db/schema.ts'
import { smtpOptions } from './mail-transport.ts'
import { plainReason } from './send-through.ts'
import type { EmailSettings } from './settings.ts'
import { countEmailsByState } from './store.ts'

const MAX_SILENCE_MS = 15_000
const SET_UP =
  'Enter one in the settings of the back office, or set SMTP_URL, MAIL_FROM and SHOP_URL.'

/** Connects to the SMTP server and logs in, without sending anything. A shop that customers reach should have one. */
export async function examineEmail(
  settings: EmailSettings,
  { signOfRealShop }: Examination,
): Promise<Finding[]> {
  const { SMTP_URL: url } = settings
  if (!url) {
    const found = 'no SMTP server is set up, so e-mails reach nobody'
    if (!signOfRealShop) return [warning('E-mail', found, SET_UP)]
    return [problem('E-mail', `${found}, and ${signOfRealShop}`, SET_UP)]
  }
  const { host } = new URL(url)
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ ...smtpOptions(url), socketTimeout: MAX_SILENCE_MS })
  try {
    await transport.verify()
    return [ok('E-mail', `the SMTP server ${host} accepts the login`)]
  } catch (error) {
    return [
      problem(
        'E-mail',
        `the SMTP server ${host} cannot be used: ${plainReason(error)}`,
        'Check SMTP_URL, and that this machine may reach the server.',
      ),
    ]
  } finally {
    transport.close()
  }
}

const ADVICE =
  'Send them with npm run shop -- emails send-parked, or delete them with npm run shop -- emails drop-parked; the Outbox lists them.'

/** Parked e-mails, as a check of the doctor. */
export async function examineParked(db: Database): Promise<Finding[]> {
  const { parked = 0 } = await countEmailsByState(db)
  if (parked === 0) return []
  const found = `e-mails that were queued when the restored backup was made are parked (${parked}): they may have been sent since`
  return [warning('E-mails', found, ADVICE)]
}

/** Parked e-mails, as lines of the start. */
export const announceParked = async (db: Database): Promise<string[]> =>
  (await examineParked(db)).map(({ found, advice }) => `E${found.slice(1)}. ${advice}`)
