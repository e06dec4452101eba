import type { CommandContext, DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { rowsOfUser } from '#app/shared/server/personal-data-store.ts'
import { userAdminCalls } from '../admin-contract.ts'
import { accountCalls, accountEmailCalls } from '../contract.ts'
import { profileCalls } from '../profile-contract.ts'
import { sessionCalls } from '../session-contract.ts'
import {
  accountEmailHandlers,
  accountHandlers,
  leadToPasswordChange,
  profileHandlers,
  sessionHandlers,
  userAdminHandlers,
} from './api.ts'
import { closeAccountByEmail } from './close-account.ts'
import { deleteKnown } from './known-places-store.ts'
import { deleteResetRequests, deleteTokensOfUser } from './links-store.ts'
import { exportPersonalData } from './personal-data.ts'
import { answerResetRequests } from './reset-link.ts'
import { openAccount, replacePassword, requireUserByEmail } from './service.ts'
import { findCaller } from './sessions.ts'
import { AUDITED_USERS, deleteSessionsOfUser } from './store.ts'
import { AUDITED_NOTES, deleteNotesOfUser, notesOfUser } from './users/store.ts'

/** The settings of the shop that accounts read. */
type AccountSettings = { SMTP_URL?: string }

export const accounts: DomainModule<AccountSettings> = {
  open: ({ db, counters, personalData, settings }) => ({
    calls: [
      serve(accountCalls, accountHandlers({ db, counters, personalData })),
      serve(accountEmailCalls, accountEmailHandlers({ db, settings })),
      serve(sessionCalls, sessionHandlers({ db })),
      serve(profileCalls, profileHandlers({ db })),
      serve(userAdminCalls, userAdminHandlers({ db, personalData })),
    ],
    jobs: [
      {
        name: 'answering requests for reset links',
        everyMs: 2000,
        run: (closing) => answerResetRequests(db, closing),
      },
    ],
    addRoutes: leadToPasswordChange,
    identify: (token) => findCaller(db, token),
  }),
  personalData: {
    sessions: {
      section: rowsOfUser('sessions', { key: ['token_hash'], without: ['token_hash'] }),
      erase: (tx, { userId }) => deleteSessionsOfUser(tx, userId),
    },
    // keyed hashes, from which no address can be read
    known_places: {
      section: rowsOfUser('known_places', { key: ['kind', 'place'] }),
      erase: (tx, { userId }) => deleteKnown(tx, userId),
    },
    // links that were sent and not used yet, without their tokens
    account_tokens: {
      name: 'links',
      section: rowsOfUser('account_tokens', { key: ['token_hash'], without: ['token_hash'] }),
      erase: (tx, { userId }) => deleteTokensOfUser(tx, userId),
    },
    user_notes: {
      name: 'notes',
      section: notesOfUser,
      erase: (tx, { userId }) => deleteNotesOfUser(tx, userId),
    },
    reset_requests: {
      section: 'A request is deleted within seconds, when the job has looked for its account.',
      erase: (tx, { emailKey }) => deleteResetRequests(tx, emailKey),
    },
  },
  auditedRows: { ...AUDITED_USERS, ...AUDITED_NOTES },
}

type Email = { email: string }

/** Commands of the command line on accounts. */
export const accountCommands = {
  async *createAdmin({ db }: CommandContext, account: Parameters<typeof openAccount>[1]) {
    const { email } = await openAccount(db, account, { admin: true })
    yield email
  },
  async *resetPassword({ db }: CommandContext, account: Email & { newPassword: string }) {
    await replacePassword(db, account)
    yield account.email
  },
  async *exportAccount({ db, personalData }: CommandContext, { email }: Email) {
    const { id } = await requireUserByEmail(db, email)
    yield* exportPersonalData(db, personalData, id)
  },
  async *closeAccount(
    { db, personalData }: CommandContext,
    closing: Email & { withOpenOrders?: boolean },
  ) {
    await closeAccountByEmail(db, personalData, closing)
    yield closing.email
  },
}
