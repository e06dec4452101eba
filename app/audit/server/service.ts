import type { Database } from '#db/schema.ts'
import type { AccountAction } from '../admin-contract.ts'
import { insertEntry } from './store.ts'

/**
 * Records what the actor of this transaction did with an account, where no row of it changes.
 * Changes of rows are recorded by the database.
 */
export const recordAccountAction = (
  tx: Database,
  userId: string,
  action: AccountAction,
): Promise<void> => insertEntry(tx, { action, table_name: 'users', row_id: userId })
