import type { CommandContext, DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { deleteParked, releaseParked } from '#app/shared/server/outbox/deliveries-store.ts'
import { deleteOldEvents, eraseEventsOfUser } from '#app/shared/server/outbox/events-store.ts'
import { emailAdminCalls } from '../admin-contract.ts'
import { emailAdminHandlers } from './api.ts'
import { announceParked, examineEmail, examineParked } from './doctor.ts'
import { folderOf, openMailTransport, removeStrayFiles } from './mail-transport.ts'
import { sendQueued } from './send-job.ts'
import { type EmailSettings, mailingShopOf, sendsEmail } from './settings.ts'
import { countEmailsByState, deleteEmailsOfUser, emailsOfUser } from './store.ts'

const OFTEN_MS = 2000
const MINUTE_MS = 60_000
const KEPT_DAYS = 90

export const emails: DomainModule<EmailSettings> = {
  open({ db, log, settings }) {
    const shop = () => mailingShopOf(db, settings)
    const mailer = { db, log, shop, open: () => openMailTransport(settings) }
    return {
      calls: [serve(emailAdminCalls, emailAdminHandlers({ db, shop }))],
      jobs: [
        {
          name: 'sending e-mails',
          everyMs: OFTEN_MS,
          run: (closing) => sendQueued(mailer, closing),
        },
        {
          name: 'deleting old events',
          everyMs: 60 * MINUTE_MS,
          run: () => deleteOldEvents(db, KEPT_DAYS),
        },
        {
          name: 'deleting files of e-mails',
          everyMs: MINUTE_MS,
          run: () => removeStrayFiles(db, folderOf(settings)),
        },
      ],
      get pageSettings() {
        return { sendsEmail: sendsEmail(settings) }
      },
      announce: () => announceParked(db),
    }
  },
  personalData: {
    emails: {
      section: emailsOfUser,
      erase: (tx, { userId }) => deleteEmailsOfUser(tx, userId),
    },
    events: {
      section: 'The facts of an e-mail are with it.',
      erase: (tx, { userId }) => eraseEventsOfUser(tx, userId),
    },
  },
  gauges: [{ name: 'haat_emails', help: 'E-mails, by their state', count: countEmailsByState }],
  examine: examineEmail,
  examineData: examineParked,
}

/** Commands of the command line on the parked e-mails. */
export const emailCommands = {
  async *sendParked({ db }: CommandContext, _options: object) {
    yield String(await releaseParked(db, 'emails'))
  },
  async *dropParked({ db }: CommandContext, _options: object) {
    yield String(await deleteParked(db, 'emails'))
  },
}
