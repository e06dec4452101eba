import type { Row } from '#db/schema.ts'
import { ADMIN_ROLE, type User } from '../session-contract.ts'

/** A user as sent out: never a hash. */
export const presentUser = ({ id, name, email, phone, address, is_admin }: Row<'users'>): User => ({
  _id: id,
  name,
  email,
  phone,
  address,
  role: is_admin ? ADMIN_ROLE : 0,
})
