import { NOT_SENT } from '#app/emails/model.ts'
import { sendsEmail } from '#app/emails/server/settings.ts'
import type { orderHandlingCalls } from '#app/orders/handling-contract.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import { openDetail } from '../detail/detail.ts'
import type { Changed } from './change-orders.ts'
import { addNote, changeSome, removeNote } from './service.ts'

const counted = (count: number, what: string) => `${count} ${count === 1 ? what : `${what}s`}`

const messageOf = ({ changed, mailed, ended, kept }: Changed, sends: boolean): string =>
  [
    changed === 0 ? 'Nothing changed.' : `${counted(changed, 'order')} changed.`,
    mailed > 0 && (sends ? `${counted(mailed, 'customer')} will get an e-mail.` : NOT_SENT),
    ended > 0 && `The cancellation of ${counted(ended, 'unpaid order')} cannot be undone.`,
    kept === 1 && '1 order was changed since, and stays as it is.',
    kept > 1 && `${kept} orders were changed since, and stay as they are.`,
  ]
    .filter(Boolean)
    .join(' ')

export const orderHandlingHandlers = ({
  db,
  settings,
}: {
  db: Database
  settings: Parameters<typeof sendsEmail>[0]
}): Handlers<typeof orderHandlingCalls> => ({
  getOrderDetail: ({ params: { orderId } }) => openDetail(db, orderId),
  async changeOrders({ body, caller }) {
    const done = await changeSome(db, admin(caller), body)
    const { changed, mailed, before } = done
    return {
      success: true,
      message: messageOf(done, sendsEmail(settings)),
      changed,
      mailed,
      before,
    }
  },
  async addOrderNote({ params: { orderId }, body: { text }, caller }) {
    await addNote(db, admin(caller), { orderId, authorId: caller.userId, text })
    return { success: true, message: 'The note is added' }
  },
  async deleteOrderNote({ params: { id }, caller }) {
    await removeNote(db, admin(caller), id)
    return { success: true, message: 'The note is deleted' }
  },
})
