import type { Caller } from '../access.ts'

/**
 * The actor of a change in the audit log: a customer or an admin, by role; the payment provider;
 * the owner at the command line; or the shop's jobs.
 */
export type Actor =
  | { kind: 'user' | 'admin'; id: string }
  | { kind: 'provider' | 'owner' | 'shop'; id?: undefined }

export const customer = (id: string): Actor => ({ kind: 'user', id })
export const admin = ({ userId }: Pick<Caller, 'userId'>): Actor => ({ kind: 'admin', id: userId })

export const PROVIDER: Actor = { kind: 'provider' }
export const OWNER: Actor = { kind: 'owner' }
export const SHOP: Actor = { kind: 'shop' }
