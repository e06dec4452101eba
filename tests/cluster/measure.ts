import { performance } from 'node:perf_hooks'
import { waitUntil } from '#tests/faults/settle.ts'
import { type Balance, isBalanced } from './accounting.ts'
import { localAddress } from './caller.ts'
import type { Field } from './field.ts'
import { type Entry, isFailure, isPurchase, isRead, isRefusal } from './journal.ts'
import { probeLimit } from './limit-probe.ts'

/** Purchases are healthy when so many calls in a row, of those begun since a moment, were answered. */
const HEALTHY_IN_A_ROW = 15
/** A call of the checkout that takes longer counts as a failure. */
const SLOW_MS = 3000
const RECOVERY_TIMEOUT_SECONDS = 60
/** How long a fault that lasts is left. */
const LASTING_SECONDS = 20
const FIRST_PROBE = 5000

/** Bounds of the measured values; the rest is only counted. */
export type Aims = {
  /** Until purchases have recovered. */
  seconds: number
  /** Whether shoppers see no failure at all; otherwise only none of the pages that are kept. */
  isUnseen?: boolean
  /** Whether each purchase that fails is refused with 503 and `Retry-After`. */
  isRefused?: boolean
  /** Whether purchases may fail until the fault is reverted; `seconds` count from then on. */
  lasts?: boolean
}

/** Injects a fault; returns how it is reverted, where it does not go away by itself. */
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
  /** The number that the aims bound. */
  bounded: number
  orders: number
  balance: Balance
  exceeded: number
  /** Why the line is not as it should be. */
  failures: string[]
}

const isUnhealthy = (entry: Entry) => isFailure(entry) || entry.ended - entry.began > SLOW_MS

/** Whether purchases that began after a moment are answered, and none waits for long. */
function isHealthy({ journal }: Field, since: number) {
  const calls = journal.entries.filter((entry) => isPurchase(entry) && entry.began > since)
  const isWaiting = journal.waiting('purchase').some((began) => performance.now() - began > SLOW_MS)
  const last = calls.slice(-HEALTHY_IN_A_ROW)
  return !isWaiting && last.length === HEALTHY_IN_A_ROW && !last.some(isUnhealthy)
}

/** Waits until purchases are healthy; false when they do not in time. */
const untilHealthy = (field: Field, since: number, seconds = RECOVERY_TIMEOUT_SECONDS) =>
  waitUntil(seconds, () => isHealthy(field, since))

/** Seconds from a moment to the end of the last purchase that was unhealthy, up to another moment. */
function secondsUnhealthy(entries: Entry[], from: number, to: number): number {
  const unhealthy = entries.filter((entry) => isPurchase(entry) && isUnhealthy(entry))
  const ends = unhealthy.map(({ ended }) => ended).filter((ended) => ended > from && ended <= to)
  return ends.length === 0 ? 0 : (Math.max(...ends) - from) / 1000
}

const describe = ({ what, status, code, began, ended }: Entry) =>
  `${what}: ${status || 'no answer'} ${code} after ${Math.round(ended - began)} ms`

function failuresIn({ seconds, isUnseen, isRefused }: Aims, line: Line, entries: Entry[]) {
  const failures: string[] = []
  if (line.bounded > seconds)
    failures.push(
      `purchases failed for ${line.bounded.toFixed(1)} s, ${seconds} s at most are allowed`,
    )
  const reads = entries.filter((entry) => (isUnseen ? isRead(entry) : entry.kind === 'page'))
  failures.push(...reads.filter(isFailure).map(describe))
  const failed = entries.filter((entry) => isPurchase(entry) && isFailure(entry))
  if (isRefused) failures.push(...failed.filter((entry) => !isRefusal(entry)).map(describe))
  const { lost, oversold, doubled, undone, broken } = line.balance
  if (oversold > 0) failures.push(`${oversold} units are oversold`)
  failures.push(...lost, ...doubled, ...undone, ...broken)
  return failures
}

/** Waits until everything is paid for or refunded, and returns what is wrong then. */
async function settle(field: Field): Promise<Balance> {
  await field.whenReported()
  let balance = await field.balance()
  await waitUntil(RECOVERY_TIMEOUT_SECONDS, async () => {
    balance = await field.balance()
    return isBalanced(balance)
  })
  return balance
}

let probes = 0

/** Injects the fault, and reverts it when clients can buy again; the moments, and what went wrong. */
async function injectAndRecover(field: Field, { inject, aims: { lasts = false } }: Fault) {
  const { cluster } = field
  const failures: string[] = []
  const must = async (failure: string, met: Promise<boolean>) => {
    if (!(await met)) failures.push(failure)
  }
  let exceeded = 0
  await field.untilComplete()
  await must('buyers could not buy before the fault', untilHealthy(field, performance.now()))
  const faultAt = performance.now()
  let healedAt = faultAt
  try {
    const revert = await inject(field)
    exceeded = await probeLimit(cluster.address, localAddress(FIRST_PROBE + probes++))
    const since = performance.now() - SLOW_MS
    const waited = untilHealthy(field, since, lasts ? LASTING_SECONDS : RECOVERY_TIMEOUT_SECONDS)
    await must(
      'buyers could not buy until it was reverted',
      lasts ? waited.then(() => true) : waited,
    )
    healedAt = performance.now()
    await revert?.()
    await must('buyers could not buy afterwards', untilHealthy(field, performance.now()))
    await field.untilComplete()
  } catch (error) {
    failures.push(String(error))
  }
  return { faultAt, healedAt, exceeded, failures }
}

/** Injects a fault while clients buy, waits until the cluster has recovered, and compares the accounts. */
export async function measure(field: Field, fault: Fault): Promise<Line> {
  const { journal, clients } = field
  const first = journal.entries.length
  const ordersBefore = field.confirmed()
  clients.open()
  const { faultAt, healedAt, exceeded, failures } = await injectAndRecover(field, fault)
  await clients.close()
  const entries = journal.entries.slice(first)
  const before = secondsUnhealthy(entries, faultAt, healedAt)
  const after = secondsUnhealthy(entries, healedAt, Number.POSITIVE_INFINITY)
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
    failures,
  }
  failures.push(...failuresIn(fault.aims, line, entries))
  return line
}
