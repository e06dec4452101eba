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
  beginDueSales,
  changeDueStatuses,
  endDueSales,
  type Plan,
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

function checkTimes(sent: Publication, { status, publish_at, unpublish_at }: Plan) {
  if (sent.publishAt && status !== 'draft')
    throw invalid('Only a draft is published at a time. Choose Draft.', 'publishAt')
  if (!unpublish_at || !(sent.publishAt || sent.unpublishAt)) return
  if (publish_at && unpublish_at <= publish_at)
    throw invalid('It must be after the time of publication.', 'unpublishAt')
  if (unpublish_at <= new Date()) throw invalid('It must be in the future.', 'unpublishAt')
}

function checkSale({ sale_price_minor: sale, sale_from, sale_until }: Plan, price: number) {
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

const isPlanIn = (sent: Publication) =>
  isSaleIn(sent) || sent.publishAt !== undefined || sent.unpublishAt !== undefined

/**
 * The plan of a product after an edit; `stored` is null for a new one, which is published unless it waits for its time.
 * `price` is the regular price after the edit. Throws `invalid` for what cannot be.
 */
export async function planAfter(
  db: Database,
  sent: Publication,
  stored: Plan | null,
  price: number,
): Promise<Plan> {
  const moments = await momentsOf(db, sent)
  const time = (name: Time, present: Date | null = null) =>
    sent[name] === undefined ? present : (moments.get(name) ?? null)
  const isPlanned = !stored && Boolean(sent.publishAt)
  const status = sent.status ?? stored?.status ?? (isPlanned ? 'draft' : 'published')
  const { salePrice } = sent
  const plan: Plan = {
    status,
    // an earlier plan ends when the product is published or archived by hand
    publish_at: status === 'draft' ? time('publishAt', stored?.publish_at) : null,
    unpublish_at: time('unpublishAt', stored?.unpublish_at),
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
  if (isSaleIn(sent) && plan.sale_price_minor !== null) plan.sale_from ??= thisMinute()
  checkTimes(sent, plan)
  if (isSaleIn(sent)) checkSale(plan, price)
  return plan
}

/** Does what is due of one product, or of all with plans, and answers which it changed. */
const STEPS = [changeDueStatuses, endDueSales, beginDueSales]

async function doDue(tx: Database, steps = STEPS, ids?: string[]): Promise<string[]> {
  const changed: string[] = []
  for (const step of steps) changed.push(...(await step(tx, ids)))
  if (changed.length > 0) await publishPlans(tx, changed)
  return changed
}

/** After an edit, does at once what is due of the product. */
export async function doAtOnce(tx: Database, id: string, sent: Publication): Promise<void> {
  if (isPlanIn(sent)) await doDue(tx, STEPS, [id])
}

/**
 * The job: does what is due, some products at a time. Each step is a transaction of its own, which locks variants once
 * and in the order of their ids, as sales of the checkout do.
 */
export async function doWhatIsDue(db: Database, closing?: AbortSignal): Promise<void> {
  while (!closing?.aborted && (await selectIsDue(db))) {
    let changed = 0
    for (const step of STEPS)
      changed += (await inTransaction(db, SHOP, (tx) => doDue(tx, [step]))).length
    if (changed === 0) return
  }
}
