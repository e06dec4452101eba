/** What waits for somebody: for the bell, the menu and the home page. */
import { atom } from 'nanostores'
import { overviewCalls, type Waiting } from '#app/overview/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { CallFailure } from '#app/shared/web/call.ts'
import { announce } from '#app/shared/web/toast.tsx'

/** Entries of a list that wait, the page that lists them, and the list's entry in the menu. */
type WaitingEntry = { count: number; what: string; href: string; menu: string }

/** Null until it is loaded. A failure keeps what was loaded last. */
type State = { entries: WaitingEntry[] | null; hasFailed: boolean }

export const waitingAtom = atom<State>({ entries: null, hasFailed: false })

function entriesOf({ undelivered: { emails, since }, ...counts }: Waiting): WaitingEntry[] {
  const { ordersToSend, paymentsInNeed, runningLow, soldOut } = counts
  const payments = href('/dashboard/admin/payments')
  const products = href('/dashboard/admin/products')
  const outbox = href('/dashboard/admin/outbox')
  const entries: [count: number, noun: string, state: string, menu: string, filter: string][] = [
    [ordersToSend, 'order', 'to send', href('/dashboard/admin/orders'), 'view=to_send'],
    [paymentsInNeed, 'payment', 'in need of attention', payments, 'state=needs_attention'],
    [runningLow, 'product', 'running low', products, 'stock=low'],
    [soldOut, 'product', 'sold out', products, 'stock=out'],
    [emails, 'e-mail', 'not delivered', outbox, `state=undelivered&from=${since}`],
  ]
  return entries
    .filter(([count]) => count > 0)
    .map(([count, noun, state, menu, filter]) => {
      const what = `${noun}${count === 1 ? '' : 's'} ${state}`
      return { count, what, href: `${menu}?${filter}`, menu }
    })
}

/** Loads the counts, `fresh` after a change, and announces what has become more. A failure is shown where they are listed. */
export async function loadWaiting(fresh = false) {
  const { entries: before } = waitingAtom.get()
  try {
    const entries = entriesOf(
      await call(overviewCalls.getWaiting, { query: { ...(fresh && { fresh }) } }),
    )
    waitingAtom.set({ entries, hasFailed: false })
    const countBefore = (list: string) => before?.find(({ href }) => href === list)?.count ?? 0
    const more = entries.filter(({ href, count }) => count > countBefore(href))
    if (before && more.length > 0)
      announce(`Waiting for you: ${more.map(({ count, what }) => `${count} ${what}`).join(', ')}`)
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    waitingAtom.set({ entries: before, hasFailed: true })
  }
}
