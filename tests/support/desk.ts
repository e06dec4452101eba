import { vi } from 'vitest'
import type { Desk } from '#app/payments/server/desk.ts'
import type { Refund } from '#app/payments/server/providers/provider.ts'
import { type Sandbox, sandbox } from '#app/payments/server/providers/sandbox.ts'
import { SECRET } from './payments.ts'
import type { TestShop } from './shop.ts'

/** A refund as a provider answers it that gives all back at once; another one has `facts`. */
export const refundOf = (doneMinor: number, facts: Partial<Refund> = {}): Refund => ({
  ...{ doneMinor, underWayMinor: 0, refundId: null },
  amountMinor: doneMinor + (facts.underWayMinor ?? 0),
  ...facts,
})

/**
 * What payments are made with, as the shop has it, for the work that nobody calls from outside: its
 * provider is the sandbox, which can be broken, and its log is kept.
 */
export function deskOf(shop: TestShop, broken: Partial<Sandbox> = {}) {
  const log = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const provider = { ...sandbox(SECRET, '', shop.db), ...broken }
  const rules = { currency: 'INR', holdMinutes: 15, retrySeconds: 60 }
  return { provider, log, ...rules } satisfies Desk
}
