import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { EmailKind, EmailState, TokenPurpose } from './column-types.ts'
import type { StoredAddress } from './stored-json.ts'

/** The tables of accounts, and of the e-mails to them. */
export type AccountTables = {
  users: {
    id: string
    name: string
    email: string
    email_key: string
    password_hash: string
    answer_hash: string
    phone: string
    address: string
    delivery: JSONColumnType<StoredAddress> | null
    is_admin: Generated<boolean>
    created_at: Generated<Date>
    email_confirmed_at: Date | null
    closed_at: Date | null
    search: GeneratedAlways<string>
  }
  sessions: {
    token_hash: Buffer
    user_id: string
    created_at: Generated<Date>
    expires_at: Date
  }
  known_networks: {
    user_id: string
    network: Buffer
    seen_at: Generated<Date>
  }
  known_browsers: {
    user_id: string
    browser: Buffer
    seen_at: Generated<Date>
  }
  account_tokens: {
    token_hash: Buffer
    user_id: string
    purpose: TokenPurpose
    created_at: Generated<Date>
    expires_at: Date
  }
  reset_requests: {
    id: string
    email_key: string
    created_at: Generated<Date>
  }
  emails: {
    id: string
    user_id: string
    kind: EmailKind
    order_id: string | null
    recipient: string
    facts: JSONColumnType<object>
    created_at: Generated<Date>
    state: Generated<EmailState>
    /** Undefined in an insert: now. */
    next_attempt_at: ColumnType<Date | null, Date | undefined, Date | null>
    expires_at: Generated<Date>
    attempts: Generated<number>
    last_error: string | null
    sent_at: Date | null
  }
}
