import { createHmac, randomBytes } from 'node:crypto'
import type { Database } from '#db/schema.ts'
import {
  deleteForgotten,
  deleteSurplus,
  insertKnown,
  networkKeyOf,
  selectIsKnown,
} from './known-store.ts'

/** The networks from which an account has logged in, by its normalized e-mail. */
export type KnownNetworks = {
  has: (account: string, network: string) => Promise<boolean>
  add: (account: string, network: string) => Promise<void>
}

const freshKey = () => randomBytes(32).toString('base64url')

/**
 * Known networks in the database, shared by all processes. An account has at most twenty, each kept
 * for thirty days after the last successful log-in, as a keyed hash.
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
