/** The rules of status, planned times and sale prices, and the job that does what is due. */
import { PLANNED_TIMES, type Publication } from '#app/products/publication-contract.ts'
import { shopCurrencyOf } from '#app/settings/server/currency.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { invalid } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { givenPrice } from '#app/shared/server/input/given-money.ts'
import type { Database } from '#db/schema.ts'
import { publishPlans } from '../publish.ts'
import {
  changeDueStatuses,
  relistDue,
  type Sale,
  type Schedule,
  selectIsDue,
  selectMoments,
} from './store.ts'

type Time = (typeof PLANNED_TIMES)[number]

const isDate = (text: string) =>
  new Date(`${text}Z`).toString() !== 'Invalid Date' &&
  new Date(`${text}Z`).toISOString().startsWith(text)

/** The moments of the times that were sent. Throws `invalid` for a day that the calendar does not have. */
async function momentsOf(db: Database, sent: Publication): Promise<Map<Time, Date | undefined>> {
  const named = PLANNED_TIMES.flatMap((name) => (sent[name] ? [{ name, text: sent[name] }] : []))
  for (const { name, text } of named)
    if (!isDate(text)) throw invalid('There is no such day or time.', name)
  const moments = await selectMoments(
    db,
    named.map(({ text }) => text),
  )
  return new Map(named.map(({ name }, at) => [name, moments[at]]))
}

/** The beginning of this minute, which is over for the database, too. */
const thisMinute = () => new Date(Math.floor(Date.now() / 60_000) * 60_000)

function checkTimes(sent: Publication, { status, publish_at, unpublish_at }: Schedule) {
  if (sent.publishAt && status !== 'draft')
    throw invalid('Only a draft is published at a time. Choose Draft.', 'publishAt')
  if (!unpublish_at || !(sent.publishAt || sent.unpublishAt)) return
  if (publish_at && unpublish_at <= publish_at)
    throw invalid('It must be after the time of publication.', 'unpublishAt')
  if (unpublish_at <= new Date()) throw invalid('It must be in the future.', 'unpublishAt')
}

function checkSale({ sale_price_minor: sale, sale_from, sale_until }: Sale, price: number) {
  if (sale === null && !sale_from && !sale_until) return
  if (sale === null) throw invalid('A sale needs a price.', 'salePrice')
  if (!sale_until) throw invalid('A sale needs the time when it ends.', 'saleUntil')
  if (sale >= price) throw invalid('The sale price must be below the price.', 'salePrice')
  if (sale_from && sale_until <= sale_from)
    throw invalid('It must be after the beginning.', 'saleUntil')
  if (sale_until <= new Date()) throw invalid('It must be in the future.', 'saleUntil')
}

export const isSaleIn = ({ salePrice, saleFrom, saleUntil }: Publication): boolean =>
  [salePrice, saleFrom, saleUntil].some((value) => value !== undefined)

const isScheduleIn = (sent: Publication) =>
  sent.publishAt !== undefined || sent.unpublishAt !== undefined

/** Times that were sent, and those that stay. */
async function timesOf(db: Database, sent: Publication) {
  const moments = await momentsOf(db, sent)
  return (name: Time, present: Date | null = null) =>
    sent[name] === undefined ? present : (moments.get(name) ?? null)
}

/**
 * The schedule of a product after an edit; `stored` is null for a new one, which is published unless it waits for its
 * time. Throws `invalid` for what cannot be.
 */
export async function scheduleAfter(
  db: Database,
  sent: Publication,
  stored: Schedule | null,
): Promise<Schedule> {
  const time = await timesOf(db, sent)
  const isPlanned = !stored && Boolean(sent.publishAt)
  const status = sent.status ?? stored?.status ?? (isPlanned ? 'draft' : 'published')
  const schedule: Schedule = {
    status,
    // an earlier time ends when the product is published or archived by hand
    publish_at: status === 'draft' ? time('publishAt', stored?.publish_at) : null,
    unpublish_at: time('unpublishAt', stored?.unpublish_at),
  }
  checkTimes(sent, schedule)
  return schedule
}

/**
 * The sale of a product after an edit of it; `price` is the highest regular price of its variants. Throws `invalid` for
 * what cannot be.
 */
export async function saleAfter(
  db: Database,
  sent: Publication,
  stored: Sale | null,
  price: number,
): Promise<Sale> {
  const time = await timesOf(db, sent)
  const { salePrice } = sent
  const sale: Sale = {
    sale_price_minor:
      salePrice === undefined
        ? (stored?.sale_price_minor ?? null)
        : salePrice === ''
          ? null
          : givenPrice(salePrice, await shopCurrencyOf(db), 'salePrice'),
    sale_from: time('saleFrom', stored?.sale_from),
    sale_until: time('saleUntil', stored?.sale_until),
  }
  // a sale without a beginning begins now
  if (sale.sale_price_minor !== null) sale.sale_from ??= thisMinute()
  checkSale(sale, price)
  return sale
}

/** After an edit, applies at once what is due of the product. */
export async function applyScheduleNow(tx: Database, id: string, sent: Publication): Promise<void> {
  if (!isScheduleIn(sent)) return
  const changed = await changeDueStatuses(tx, [id])
  if (changed.length > 0) await publishPlans(tx, changed)
}

/** Applies a step to some of the products that it is due of, in a transaction of its own. Answers how many. */
const applyStep = (db: Database, step: (tx: Database) => Promise<string[]>): Promise<number> =>
  inTransaction(db, SHOP, async (tx) => {
    const changed = await step(tx)
    if (changed.length > 0) await publishPlans(tx, changed)
    return changed.length
  })

/** The job: applies what is due, some products at a time. */
export async function applyDueSchedules(db: Database, closing?: AbortSignal): Promise<void> {
  while (!closing?.aborted && (await selectIsDue(db))) {
    const changed = (await applyStep(db, changeDueStatuses)) + (await applyStep(db, relistDue))
    if (changed === 0) return
  }
}
