/** Command-line commands on accounts. */
import type { CommandContext } from '#app/shared/server/domain-module.ts'
import { closeAccountByEmail } from './close-account.ts'
import { exportPersonalData } from './personal-data.ts'
import { openAccount, replacePassword, requireUserByEmail } from './service.ts'

type Email = { email: string }

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
