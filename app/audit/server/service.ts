import type { Database } from '#db/schema.ts'
import type { AccountAction } from '../admin-contract.ts'
import { insertEntry } from './store.ts'

/**
 * Writes an account event that changes no row, by the actor of this transaction. Triggers write
 * changes of rows.
 */
export const recordAccountAction = (
  tx: Database,
  userId: string,
  action: AccountAction,
): Promise<void> => insertEntry(tx, { action, table_name: 'users', row_id: userId })
