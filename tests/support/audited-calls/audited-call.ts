import type { AuditedTable } from '#app/audit/admin-contract.ts'
import type { Person } from '../accounts.ts'
import type { TestShop } from '../shop.ts'

/** A call that changes something, and the tables of the audit entries that it writes. */
export type AuditedCall = {
  tables: AuditedTable[]
  /** The actor that writes entries after the caller. */
  afterwards?: string
  ready?: () => Promise<string>
  act: (id: string) => Promise<{ status: number }>
}

export type Callers = {
  shop: TestShop
  admin: () => Person
  buyer: () => Person
  /** The category Kitchen. */
  category: () => { id: string }
}

/** By the name of the call. */
export type AuditedCalls = (callers: Callers) => Record<string, AuditedCall>
