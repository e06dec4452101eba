import { createHmac } from 'node:crypto'
import { sharedSecret } from '#app/shared/server/secret/secret-store.ts'
import type { Database } from '#db/schema.ts'
import {
  deleteForgotten,
  deleteSurplus,
  deleteSurplusBrowsers,
  insertKnown,
  insertKnownBrowser,
  selectIsKnown,
  selectIsKnownBrowser,
} from './known-places-store.ts'

/** The networks from which an account has logged in, by its normalized e-mail. */
export type KnownNetworks = {
  has: (account: string, network: string) => Promise<boolean>
  add: (account: string, network: string) => Promise<void>
}

/** The browsers in which an admin has signed in. */
export type KnownBrowsers = {
  has: (userId: string, userAgent: string) => Promise<boolean>
  add: (userId: string, userAgent: string) => Promise<void>
}

/** The key of the hashes. */
const keyOf = (db: Database) => sharedSecret(db, 'network_key')

/**
 * Known networks in the database, shared by all processes. An account has at most twenty, each kept
 * for thirty days after the last successful log-in, as a keyed hash.
 */
export function knownNetworks(db: Database): KnownNetworks {
  const hashOf = async (account: string, network: string) =>
    createHmac('sha256', await keyOf(db))
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

/** An update of a browser changes numbers only. */
const withoutVersions = (userAgent: string) => userAgent.replace(/[\d._]+/g, '')

/** Known browsers in the database, kept like known networks. */
export function knownBrowsers(db: Database): KnownBrowsers {
  const hashOf = async (userId: string, userAgent: string) =>
    createHmac('sha256', await keyOf(db))
      .update(JSON.stringify([userId, 'browser', withoutVersions(userAgent)]))
      .digest()
  return {
    has: async (userId, userAgent) =>
      selectIsKnownBrowser(db, userId, await hashOf(userId, userAgent)),
    add: async (userId, userAgent) => {
      await insertKnownBrowser(db, userId, await hashOf(userId, userAgent))
      await deleteSurplusBrowsers(db, userId)
    },
  }
}
