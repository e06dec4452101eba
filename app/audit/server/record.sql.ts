import type { Database } from '#db/schema.ts'
import type { AccountAction } from '../admin-contract.ts'

/**
 * Writes an account event that changes no row, by the actor of this transaction. Triggers write
 * changes of rows.
 */
export const recordAccountAction = (tx: Database, row_id: string, action: AccountAction) =>
  tx.insertInto('audit_log').values({ action, table_name: 'users', row_id }).execute()
