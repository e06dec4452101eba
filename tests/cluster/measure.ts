import { performance } from 'node:perf_hooks'
import { waitUntil } from '#tests/faults/settle.ts'
import { type Balance, isBalanced } from './accounting.ts'
import { localAddress } from './caller.ts'
import type { Field } from './field.ts'
import { type Entry, isFailure, isPurchase, isRead, isRefusal } from './journal.ts'
import { probeLimit } from './limit-probe.ts'

/** Purchases are well when so many calls in a row, of those begun since a moment, were answered. */
const WELL_IN_A_ROW = 15
/** A call of the checkout that takes longer is no service. */
const SLOW_MS = 3000
const PATIENCE_SECONDS = 60
/** How long a fault that lasts is left. */
const LASTING_SECONDS = 20
const FIRST_PROBE = 5000

/** What must hold; the rest is only counted. */
export type Aims = {
  /** Until purchases are well again. */
  seconds: number
  /** Whether shoppers see no failure at all; otherwise only none of the pages that are kept. */
  isUnseen?: boolean
  /** Whether each purchase that fails is refused with 503 and `Retry-After`. */
  isPolite?: boolean
  /** Whether purchases may fail until the fault is taken back; `seconds` count from then on. */
  lasts?: boolean
}

/** Injects a fault; answers how it is taken back, where it does not go away by itself. */
export type Fault = {
  name: string
  aims: Aims
  inject: (field: Field) => Promise<(() => Promise<void> | void) | undefined>
}

/** The line of a fault. */
export type Line = {
  name: string
  requests: number
  readsFailed: number
  purchasesFailed: number
  seconds: number
  /** Those that the aims bound. */
  bounded: number
  orders: number
  balance: Balance
  exceeded: number
  /** Why the line is not as it should be. */
  complaints: string[]
}

const isUnwell = (entry: Entry) => isFailure(entry) || entry.ended - entry.began > SLOW_MS

/** Whether purchases that began after a moment are answered, and none waits for long. */
function areWell({ journal }: Field, since: number) {
  const calls = journal.entries.filter((entry) => isPurchase(entry) && entry.began > since)
  const isWaiting = journal.waiting('purchase').some((began) => performance.now() - began > SLOW_MS)
  const last = calls.slice(-WELL_IN_A_ROW)
  return !isWaiting && last.length === WELL_IN_A_ROW && !last.some(isUnwell)
}

/** Waits until purchases go well; false when they do not in time. */
const untilWell = (field: Field, since: number, seconds = PATIENCE_SECONDS) =>
  waitUntil(seconds, () => areWell(field, since))

/** Seconds from a moment to the end of the last purchase that was not well, up to another moment. */
function secondsUnwell(entries: Entry[], from: number, to: number): number {
  const unwell = entries.filter((entry) => isPurchase(entry) && isUnwell(entry))
  const ends = unwell.map(({ ended }) => ended).filter((ended) => ended > from && ended <= to)
  return ends.length === 0 ? 0 : (Math.max(...ends) - from) / 1000
}

const describe = ({ what, status, code, began, ended }: Entry) =>
  `${what}: ${status || 'no answer'} ${code} after ${Math.round(ended - began)} ms`

function complaintsAbout({ seconds, isUnseen, isPolite }: Aims, line: Line, entries: Entry[]) {
  const complaints: string[] = []
  if (line.bounded > seconds)
    complaints.push(
      `purchases failed for ${line.bounded.toFixed(1)} s, ${seconds} s at most are allowed`,
    )
  const reads = entries.filter((entry) => (isUnseen ? isRead(entry) : entry.kind === 'page'))
  complaints.push(...reads.filter(isFailure).map(describe))
  const failed = entries.filter((entry) => isPurchase(entry) && isFailure(entry))
  if (isPolite) complaints.push(...failed.filter((entry) => !isRefusal(entry)).map(describe))
  const { lost, oversold, doubled, undone, broken } = line.balance
  if (oversold > 0) complaints.push(`${oversold} pieces are oversold`)
  complaints.push(...lost, ...doubled, ...undone, ...broken)
  return complaints
}

/** Waits until everything is paid for or paid back, and answers what is wrong then. */
async function settle(field: Field): Promise<Balance> {
  await field.whenReported()
  let balance = await field.balance()
  await waitUntil(PATIENCE_SECONDS, async () => {
    balance = await field.balance()
    return isBalanced(balance)
  })
  return balance
}

let probes = 0

/** Injects the fault, and takes it back when people can buy again; the moments, and what went wrong. */
async function goThrough(field: Field, { inject, aims: { lasts = false } }: Fault) {
  const { cluster } = field
  const complaints: string[] = []
  const must = async (failure: string, met: Promise<boolean>) => {
    if (!(await met)) complaints.push(failure)
  }
  let exceeded = 0
  await must('people could not buy before the fault', untilWell(field, performance.now()))
  const faultAt = performance.now()
  let healedAt = faultAt
  try {
    const takeBack = await inject(field)
    exceeded = await probeLimit(cluster.address, localAddress(FIRST_PROBE + probes++))
    const since = performance.now() - SLOW_MS
    const waited = untilWell(field, since, lasts ? LASTING_SECONDS : PATIENCE_SECONDS)
    await must(
      'people could not buy until it was taken back',
      lasts ? waited.then(() => true) : waited,
    )
    healedAt = performance.now()
    await takeBack?.()
    await must('people could not buy afterwards', untilWell(field, performance.now()))
    await field.untilWhole()
  } catch (error) {
    complaints.push(String(error))
  }
  return { faultAt, healedAt, exceeded, complaints }
}

/** Injects a fault while people buy, waits until all is well again, and compares the accounts. */
export async function measure(field: Field, fault: Fault): Promise<Line> {
  const { journal, people } = field
  const first = journal.entries.length
  const ordersBefore = field.confirmed()
  people.open()
  const { faultAt, healedAt, exceeded, complaints } = await goThrough(field, fault)
  await people.close()
  const entries = journal.entries.slice(first)
  const before = secondsUnwell(entries, faultAt, healedAt)
  const after = secondsUnwell(entries, healedAt, Number.POSITIVE_INFINITY)
  const line: Line = {
    name: fault.name,
    requests: entries.length,
    readsFailed: entries.filter((entry) => isRead(entry) && isFailure(entry)).length,
    purchasesFailed: entries.filter((entry) => isPurchase(entry) && isFailure(entry)).length,
    seconds: Math.max(before, after),
    bounded: fault.aims.lasts ? after : Math.max(before, after),
    orders: field.confirmed() - ordersBefore,
    balance: await settle(field),
    exceeded,
    complaints,
  }
  complaints.push(...complaintsAbout(fault.aims, line, entries))
  return line
}
