import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { rowsOfUser } from '#app/shared/server/personal-data-store.ts'
import { emailAdminCalls } from '../admin-contract.ts'
import { emailAdminHandlers } from './admin/api.ts'
import { examineEmail } from './doctor.ts'
import { announceParked, examineParked } from './parked.ts'
import { deliveryOf, folderOf } from './sending/delivery.ts'
import { deleteOld, removeStrayFiles } from './sending/retention.ts'
import { sendQueued } from './sending/send.ts'
import { type EmailSettings, mailingShopOf, sendsEmail } from './settings.ts'
import { countEmailsByState, deleteEmailsOfUser } from './store.ts'

const OFTEN_MS = 2000
const MINUTE_MS = 60_000

export const emails: DomainModule<EmailSettings> = {
  open({ db, log, settings }) {
    const shop = () => mailingShopOf(db, settings)
    const mailer = { db, log, shop, delivery: deliveryOf(settings) }
    return {
      calls: [serve(emailAdminCalls, emailAdminHandlers({ db, shop }))],
      jobs: [
        {
          name: 'sending e-mails',
          everyMs: OFTEN_MS,
          run: (closing) => sendQueued(mailer, closing),
        },
        {
          name: 'deleting old e-mails',
          everyMs: 60 * MINUTE_MS,
          run: () => deleteOld(db),
        },
        {
          name: 'deleting files of e-mails',
          everyMs: MINUTE_MS,
          run: () => removeStrayFiles(db, folderOf(settings)),
        },
      ],
      pageSettings: { sendsEmail: sendsEmail(settings) },
      announce: () => announceParked(db),
    }
  },
  personalData: {
    emails: {
      section: rowsOfUser('emails'),
      erase: (tx, { userId }) => deleteEmailsOfUser(tx, userId),
    },
  },
  gauges: [{ name: 'haat_emails', help: 'E-mails, by their state', count: countEmailsByState }],
  examine: examineEmail,
  examineData: examineParked,
}
