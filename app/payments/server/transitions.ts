import type { Row } from '#db/schema.ts'

export type PaymentState = Row<'payments'>['state']
type Purpose = Row<'captures'>['purpose']
type RefundState = Row<'refunds'>['state']

/**
 * The states that may follow each state. Stores take the states before one from here, and triggers of
 * `0004_money_received.sql` refuse any other transition.
 */
export const TRANSITIONS = {
  payments: {
    /** Started, with the stock of its quote reserved. */
    open: ['paid', 'expired', 'cancelled', 'owed'],
    /** Started, with its stock released: it can still be paid, if the stock is there then, or reserved again. */
    expired: ['open', 'paid', 'cancelled'],
    /** Its order is placed, and unpaid: an admin enters the money. */
    owed: ['paid', 'cancelled'],
    /** Paid, with its order placed. */
    paid: [],
    /** Over without an order, or with an unpaid one: money that still comes in goes back. */
    cancelled: [],
  } satisfies Record<PaymentState, PaymentState[]>,
  captures: {
    /** Its cart or its amount is not known yet. */
    undecided: ['order', 'nothing'],
    /** It pays for the order of its payment. */
    order: [],
    /** It goes back to its buyer. */
    nothing: [],
    /** The shop does not have its payment. */
    unknown: [],
  } satisfies Record<Purpose, Purpose[]>,
  refunds: {
    /** To be requested. */
    pending: ['accepted', 'done', 'failed', 'given_up'],
    /** In progress at the provider: it may still fail. */
    accepted: ['done', 'failed'],
    /** Refused by the provider: requested again, until an admin gives it up, or the money is released. */
    failed: ['pending', 'done', 'given_up'],
    done: [],
    given_up: [],
  } satisfies Record<RefundState, RefundState[]>,
}

type Table = keyof typeof TRANSITIONS
export type StateOf<Of extends Table> = keyof (typeof TRANSITIONS)[Of] & string

/** The states of a table's rows that this state may follow. */
export const before = <Of extends Table>(table: Of, next: StateOf<Of>): StateOf<Of>[] =>
  Object.entries<string[]>(TRANSITIONS[table])
    .filter(([, following]) => following.includes(next))
    .map(([state]) => state as StateOf<Of>)

/** The states of a payment that a provider may still report money for. */
export const PAYABLE = before('payments', 'expired').concat(before('payments', 'open'))

/** The states of a refund in progress. */
export const IN_PROGRESS = [
  ...new Set([...before('refunds', 'done'), ...before('refunds', 'given_up')]),
]
