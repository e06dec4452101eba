import { toMajor } from '#app/shared/model/minor-units.ts'
import type { Row } from '#db/schema.ts'
import type { ListedUser } from '../admin-contract.ts'
import type { User } from '../session-contract.ts'
import { rulesOf } from './account-kinds.sql.ts'

/** A user as the API returns it, without hashes. */
export const presentUser = (user: Row<'users'>): User => ({
  _id: user.id,
  name: user.name,
  email: user.email,
  phone: user.phone,
  address: user.address,
  role: rulesOf(user).role,
  ...(user.delivery && { delivery: user.delivery }),
})

type ListedRow = Row<'users'> & { orders: number; spent_minor: number; currency: string }

/** A user as the admins' list returns it. */
export const presentListedUser = (user: ListedRow): ListedUser => ({
  ...presentUser(user),
  createdAt: user.created_at.toISOString(),
  closedAt: user.closed_at?.toISOString() ?? null,
  orders: user.orders,
  spent: toMajor(user.spent_minor, user.currency),
})
