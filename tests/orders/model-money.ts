/** Money in the model: as the provider has it, and its capture and refunds in the shop. Amounts are halves of a price. */
import { type StateOf, TRANSITIONS } from '#app/payments/server/transitions.ts'

/** The price of one piece. */
export const PAID = 2

type Table = keyof typeof TRANSITIONS

export type Money = {
  status: 'authorised' | 'captured' | 'failed' | 'released'
  /** Whether the bank has completed it after a failure, which a poll may have read before. */
  isLate: boolean
  /** What the provider has refunded for good, what it is refunding, and what a lost dispute took. */
  paidBack: number
  inFlight: number
  disputed: number
  /** The purpose of its capture; null while the shop does not know of it. */
  purpose: StateOf<'captures'> | null
  isConfirmed: boolean
  isVoided: boolean
  /** The refund in progress. */
  refund: 'pending' | 'accepted' | 'failed' | null
  /** The sum of the refunds that were not given up, and of those that are done. */
  asked: number
  done: number
}

export const AUTHORISED: Money = {
  status: 'authorised',
  isLate: false,
  paidBack: 0,
  inFlight: 0,
  disputed: 0,
  purpose: null,
  isConfirmed: false,
  isVoided: false,
  refund: null,
  asked: 0,
  done: 0,
}

/** Duties of the shop about money; a model without one of them has a bug. */
export type MoneyRules = { releasesOnlyUnconfirmed: boolean }

/** Money with the rules of the shop; `used` gets every transition. */
export function openMoney(rules: MoneyRules, used: Set<string>) {
  function change<Of extends Table, To extends StateOf<Of>>(
    table: Of,
    from: StateOf<Of>,
    to: To,
  ): To {
    const following: Record<string, string[]> = TRANSITIONS[table]
    if (!following[from]?.includes(to))
      throw new Error(`${table}: ${from} → ${to} is not in the table`)
    used.add(`${table}: ${from} → ${to}`)
    return to
  }

  /** Ends the refund in progress. */
  function endRefund(one: Money, to: 'done' | 'given_up'): Money {
    if (one.refund === null) return one
    change('refunds', one.refund, to)
    const sum = to === 'done' ? one.asked : one.done
    return { ...one, refund: null, asked: sum, done: sum }
  }

  /** Requests the refund of all that is left of captured money that pays for nothing. */
  function requestReturn(one: Money): Money {
    const left = PAID - one.done - one.disputed
    const isDue = one.purpose === 'nothing' && one.isConfirmed && one.refund === null && left > 0
    return isDue ? { ...one, refund: 'pending', asked: one.done + left } : one
  }

  /** It pays for nothing: what was only authorised, as far as the shop knows, is never captured. */
  function refuse(one: Money): Money {
    const purpose = one.purpose === null ? 'nothing' : change('captures', one.purpose, 'nothing')
    return requestReturn({ ...one, purpose, isVoided: !one.isConfirmed })
  }

  const payFor = (one: Money): Money =>
    one.purpose === null
      ? { ...one, purpose: 'order' }
      : { ...one, purpose: change('captures', one.purpose, 'order') }

  /** The provider itself confirms the capture. */
  const confirm = (one: Money): Money =>
    one.isConfirmed ? one : requestReturn({ ...one, isConfirmed: true, isVoided: false })

  /** A poll or an event says that it was not captured: undecided money is forgotten. */
  function markVoided(one: Money): Money {
    if (one.purpose === null || one.isVoided) return one
    if (one.isConfirmed && rules.releasesOnlyUnconfirmed) return one
    if (one.purpose === 'undecided') return { ...one, purpose: null }
    const voided = { ...one, isVoided: true }
    if (one.status === 'released') return endRefund(voided, 'done')
    return one.purpose === 'nothing' ? endRefund(voided, 'given_up') : voided
  }

  const isMade = ({ paidBack, asked }: Money) => paidBack >= asked

  /** The refund job polls a refund that the provider has accepted. */
  function pollRefund(one: Money): Money {
    if (isMade(one)) return endRefund(one, 'done')
    return one.inFlight > 0 ? one : { ...one, refund: change('refunds', 'accepted', 'failed') }
  }

  /** The refund job requests a refund: the provider knows what it has refunded already. */
  function requestRefund(one: Money, crashes: boolean): Money {
    if (one.refund === 'failed') change('refunds', 'failed', 'pending')
    if (one.status !== 'captured') return { ...one, refund: change('refunds', 'pending', 'failed') }
    const inFlight = Math.max(one.asked - one.paidBack, one.inFlight)
    const requested: Money = { ...one, inFlight, refund: 'pending' }
    if (crashes) return requested
    if (isMade(one)) return endRefund(requested, 'done')
    return { ...requested, refund: change('refunds', 'pending', 'accepted') }
  }

  const advance = (one: Money, crashes = false): Money => {
    if (one.refund === null) return one
    return one.refund === 'accepted' ? pollRefund(one) : requestRefund(one, crashes)
  }

  /** What the provider has refunded beyond the shop's refunds is one of its own. */
  const compare = (one: Money): Money =>
    one.isConfirmed && one.refund === null && one.done < one.paidBack
      ? { ...one, done: one.paidBack, asked: Math.max(one.asked, one.paidBack) }
      : one

  /** All of it is refunded in the provider's dashboard, and the webhook reports it. */
  function refundElsewhere(one: Money): Money {
    const paidBack = PAID - one.disputed
    const isOpen = one.purpose === null || one.purpose === 'undecided'
    if (!isOpen) return compare({ ...one, paidBack })
    const purpose = one.purpose === null ? 'nothing' : change('captures', one.purpose, 'nothing')
    return compare({ ...one, paidBack, purpose, isConfirmed: true })
  }

  /** A dispute is lost: the bank takes what is left, and a refund that waits is over. */
  function loseDispute(one: Money): Money {
    const lost = PAID - one.paidBack - one.inFlight - one.disputed
    const disputed = Math.min(one.disputed + lost, PAID - one.done)
    const over = one.refund === 'accepted' ? one : endRefund(one, 'given_up')
    return requestReturn({ ...over, disputed })
  }

  const giveUp = (one: Money) => endRefund(one, 'given_up')

  const decisions = { change, refuse, payFor, confirm, markVoided }
  return { ...decisions, advance, compare, refundElsewhere, loseDispute, giveUp }
}
