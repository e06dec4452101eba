import { createHmac, randomBytes } from 'node:crypto'
import type { Database } from '#db/schema.ts'
import {
  deleteForgotten,
  deleteSurplus,
  insertKnown,
  networkKeyOf,
  selectIsKnown,
} from './known-store.ts'

/** The networks at which accounts have proved who they are, by their e-mails as they are compared. */
export type KnownNetworks = {
  has: (account: string, network: string) => Promise<boolean>
  add: (account: string, network: string) => Promise<void>
}

const freshKey = () => randomBytes(32).toString('base64url')

/**
 * Those that the database remembers, for every process and after a restart: twenty of an account
 * at most, each thirty days from the last success there, as keyed hashes.
 */
export function knownNetworks(db: Database): KnownNetworks {
  const hashOf = async (account: string, network: string) =>
    createHmac('sha256', await networkKeyOf(db, freshKey))
      .update(JSON.stringify([account, network]))
      .digest()
  return {
    has: async (account, network) => selectIsKnown(db, account, await hashOf(account, network)),
    add: async (account, network) => {
      await insertKnown(db, account, await hashOf(account, network))
      await deleteSurplus(db, account)
      await deleteForgotten(db)
    },
  }
}
