/**
 * Known places in the database, shared by all processes: networks from which accounts have logged in, and
 * browsers in which admins have signed in. An account has at most twenty of each, kept for thirty days after
 * the last successful log-in, as keyed hashes.
 */
import { createHmac } from 'node:crypto'
import { sharedSecret } from '#app/shared/server/secret/secret-store.ts'
import type { Database } from '#db/schema.ts'
import {
  deleteForgotten,
  deleteSurplus,
  insertKnown,
  type KnownPlace,
  selectIsKnown,
} from './known-places-store.ts'

/** The networks from which an account has logged in, by its normalized e-mail. */
export type KnownNetworks = {
  has: (account: string, network: string) => Promise<boolean>
  add: (account: string, network: string) => Promise<void>
}

async function placeOf(
  db: Database,
  kind: KnownPlace['kind'],
  parts: string[],
): Promise<KnownPlace> {
  const key = await sharedSecret(db, 'network_key')
  return { kind, place: createHmac('sha256', key).update(JSON.stringify(parts)).digest() }
}

/** The browser of a `User-Agent`; an update of a browser changes numbers only. */
export const browserOf = (db: Database, userId: string, userAgent: string): Promise<KnownPlace> =>
  placeOf(db, 'browser', [userId, 'browser', userAgent.replace(/[\d._]+/g, '')])

/** Stores a place of an account, by its normalized e-mail, and deletes surplus and expired ones. */
export async function addKnown(db: Database, account: string, place: KnownPlace): Promise<void> {
  await insertKnown(db, account, place)
  await deleteSurplus(db, account, place.kind)
  await deleteForgotten(db)
}

export function knownNetworks(db: Database): KnownNetworks {
  const networkOf = (account: string, network: string) => placeOf(db, 'network', [account, network])
  return {
    has: async (account, network) => selectIsKnown(db, account, await networkOf(account, network)),
    add: async (account, network) => addKnown(db, account, await networkOf(account, network)),
  }
}
