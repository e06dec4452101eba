/** A user as the back office shows it, and notes of admins. */
import { v7 as uuidv7 } from 'uuid'
import type { UserDetail } from '#app/accounts/admin-contract.ts'
import { openOrdersOf } from '#app/orders/server/service.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import type { Caller } from '#app/shared/server/access.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import { notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { presentListedUser } from '../presenter.ts'
import { noSuchUser } from '../roles.ts'
import { selectUsers } from '../users-store.ts'
import {
  countOrders,
  deleteNote,
  insertNote,
  selectAddresses,
  selectLatestOrders,
  selectNotes,
  selectPlaces,
  selectSessions,
  selectUsedCoupons,
} from './store.ts'

/** The details of a user, also of a closed account. Throws `not_found`. */
export async function findUser(db: Database, userId: string): Promise<UserDetail> {
  const [[user], count, open, orders, addresses, coupons, sessions, places, notes] =
    await Promise.all([
      selectUsers(db, [userId]),
      countOrders(db, userId),
      openOrdersOf(db, userId),
      selectLatestOrders(db, userId),
      selectAddresses(db, userId),
      selectUsedCoupons(db, userId),
      selectSessions(db, userId),
      selectPlaces(db, userId),
      selectNotes(db, userId),
    ])
  if (!user) throw noSuchUser()
  return {
    ...presentListedUser(user),
    emailConfirmedAt: user.email_confirmed_at?.toISOString() ?? null,
    allOrders: count,
    openOrders: open.map(({ id, number }) => ({ _id: id, number })),
    latestOrders: orders.map(({ id, created_at, total_minor, ...order }) => ({
      _id: id,
      date: created_at.toISOString(),
      total: toMajor(total_minor, order.currency),
      ...order,
    })),
    addresses: addresses.map(({ address }) => address),
    coupons: coupons.map(({ id: _id, name, is_deleted: isDeleted, uses }) => {
      return { _id, name, isDeleted, uses }
    }),
    sessions: sessions.map(({ created_at, expires_at }) => ({
      since: created_at.toISOString(),
      until: expires_at.toISOString(),
    })),
    places: places.map(({ kind, seen_at }) => ({ kind, seenAt: seen_at.toISOString() })),
    notes: notes.map(({ id, text, author, created_at }) => ({
      _id: id,
      text,
      author,
      at: created_at.toISOString(),
    })),
  }
}

/** Adds a note to an open account. Throws `not_found`. */
export const addNote = (
  db: Database,
  caller: Caller,
  { userId, text }: { userId: string; text: string },
): Promise<void> =>
  inTransaction(db, admin(caller), async (tx) => {
    const note = { id: uuidv7(), user_id: userId, author_id: caller.userId, text: text.trim() }
    if (!(await insertNote(tx, note))) throw noSuchUser()
  })

/** Deletes a note. Throws `not_found`. */
export const removeNote = (db: Database, caller: Caller, id: string): Promise<void> =>
  inTransaction(db, admin(caller), async (tx) => {
    if (!(await deleteNote(tx, id))) throw notFound('There is no such note.')
  })
