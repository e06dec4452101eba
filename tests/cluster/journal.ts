import type { Reply } from './caller.ts'

/**
 * The purpose of a request: a `page` is one that the page cache keeps, a `list` is made for each
 * visitor, a `purchase` is a call of the checkout, `work` is a call of the back office.
 */
export type Kind = 'page' | 'list' | 'purchase' | 'account' | 'work'

/** A request; times are performance.now(). */
export type Entry = {
  kind: Kind
  what: string
  began: number
  ended: number
  status: number
  retryAfter: string | null
  code: string
}

export type Journal = {
  entries: Entry[]
  /** When the requests of a kind that have no answer yet began. */
  waiting: (kind: Kind) => number[]
  /** Sends a request, and writes down how it was answered. */
  send: (kind: Kind, what: string, sending: () => Promise<Reply>) => Promise<Reply>
}

/** The code in a failure's body. */
function codeIn({ status, text }: Reply): string {
  if (status < 400) return ''
  const [, code = ''] = /"code":"(\w+)"/.exec(text) ?? []
  return code
}

export function openJournal(): Journal {
  const entries: Entry[] = []
  const open = new Set<{ kind: Kind; began: number }>()
  return {
    entries,
    waiting: (kind) => [...open].filter((one) => one.kind === kind).map(({ began }) => began),
    async send(kind, what, sending) {
      const began = performance.now()
      const request = { kind, began }
      open.add(request)
      const reply = await sending()
      open.delete(request)
      const { status, retryAfter } = reply
      const ended = performance.now()
      entries.push({ kind, what, began, ended, status, retryAfter, code: codeIn(reply) })
      return reply
    },
  }
}

/** Proper refusals, which are no failures: sold out, a refund in progress, changed meanwhile. */
const REFUSALS = ['out_of_stock', 'conflict', 'stale']

export const isFailure = ({ status, code }: Entry) =>
  status === 0 || (status >= 400 && !REFUSALS.includes(code))

/** A failure that says when to come back. */
export const isRefusal = ({ status, retryAfter }: Entry) => status === 503 && retryAfter !== null

export const isRead = ({ kind }: Entry) => kind === 'page' || kind === 'list'
export const isPurchase = ({ kind }: Entry) => kind === 'purchase'
