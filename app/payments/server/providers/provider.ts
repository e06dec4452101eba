/**
 * The port of payment providers. A provider is one file of this folder, which exports what `provider` checks,
 * and is in `list.ts`. Only its file knows its name, settings, states, units and errors: what pages, policies,
 * start and doctor say comes from here. `docs/providers.md` tells how to write one; `provider.test.ts` tests all.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { PaymentMode } from '#app/payments/contract.ts'
import type { Log } from '#app/shared/server/domain-module.ts'
import type { Served } from '#app/shared/server/mount.ts'

/** Money at the provider, in minor units; it may include the provider's fees and discounts. */
export type Amount = { amountMinor: number; currency: string }

/** An order to open at the provider; `receipt` is the shop's id of the payment. */
export type OrderRequest = Amount & { receipt: string }

/** An order that was opened at the provider, as the shop has it. */
export type KnownOrder = Amount & { id: string }

/** A payment at the provider. */
export type ProviderPayment = Amount & {
  id: string
  /**
   * `authorised`: the bank has reserved the money, which `capture` takes; `captured`: the provider has it;
   * `refunded`: all of it, or it is being refunded, after its capture; `released`: it was never captured.
   */
  status: 'captured' | 'authorised' | 'failed' | 'refunded' | 'released'
  /** Whether it pays the whole of its order, or would when it is captured. */
  paysOrder: boolean
  /** The amount that the provider has refunded or is refunding, by any request, in minor units. */
  refundedMinor: number
}

/** An order at the provider: what it asks for, and its payments. */
export type ProviderOrder = Amount & { payments: ProviderPayment[] }

/** The refunds of a payment, by any request, in minor units. */
export type RefundProgress = {
  /** Refunded for good. */
  refundedMinor: number
  /** Accepted by the provider; it may still fail. */
  pendingMinor: number
  /** The provider's id of the newest refund that did not fail. */
  refundId: string | null
  /** The provider's ids of the refunds that failed. */
  failedIds: string[]
}

/** The refunds of a payment, and its captured amount as the provider has it. */
export type Refund = RefundProgress & { amountMinor: number }

/** How much of a payment is to be refunded. */
export type RefundRequest = {
  /** The captured amount as far as the shop knows. */
  storedMinor: number
  /** The sum of this refund and all before it; null: everything. */
  totalRefundMinor: number | null
  /** The sum of earlier refunds as far as the shop knows: the provider's list may lag behind. */
  doneMinor: number
  /** The idempotency key: the same for a request that is repeated, another for each refund. */
  key: string
}

/** The proof of a payment that the provider's dialog gives to the browser. */
export type Proof = { orderId: string; paymentId: string; signature: string }

type PaymentEvent = { orderId: string; paymentId: string }

/** What a webhook reports, in the port's words. Events may come late, in any order and any number of times. */
export type ProviderEvent =
  | ({ kind: 'authorised' } & PaymentEvent & Amount)
  | ({ kind: 'captured' } & PaymentEvent & Amount)
  | ({ kind: 'failed'; reason: string | null } & PaymentEvent)
  /** Money that was authorised is with its buyer again. */
  | ({ kind: 'released' } & PaymentEvent)
  | {
      kind: 'refunded'
      paymentId: string
      /** The refunded part of the payment after this refund, as far as the provider says. */
      refundedMinor: number
      /** The payment, when one refund returned all of it. */
      whole: (Amount & { orderId: string }) | null
    }
  | { kind: 'refund failed'; paymentId: string }
  | { kind: 'disputed'; paymentId: string; dispute: Dispute }

/** A dispute of the buyer's bank, and the amount that a lost one took back. */
export type Dispute = {
  id: string
  state: 'open' | 'won' | 'lost' | 'closed'
  deductedMinor: number
}

/** A delivery of the provider's webhook, as it came in. */
export type Delivery = { raw: Buffer; headers: IncomingHttpHeaders }

/**
 * A signed delivery. `id` is the event's, empty without one; `event` is null when it means nothing to the shop,
 * and undefined when it is malformed.
 */
export type ReadDelivery = { id: string; event: ProviderEvent | null | undefined }

/**
 * A provider that is set up. Its calls may use the network: they are never made inside a transaction. They
 * throw `unavailable` when the provider does not answer, or not as expected, and log the cause; they throw
 * `not_found`, with the provider's sentence, when it refuses one order or payment for good.
 */
export type OpenedProvider = {
  /** Whether payments take money, or are tests; with `none` no payment can be started, and old ones are refunded. */
  mode: PaymentMode
  /** The public key for the browser's dialog. */
  publicKey: string
  /** The script of the browser's dialog: it defines `window.Razorpay` as checkout.js does. */
  script: string
  /** The text of the script, where the shop serves it, at `/payment/NAME/checkout.js`. */
  readScript?(): Promise<string>
  /** Calls of its own, for its script. */
  calls?: Served[]
  /** The address of a payment in the provider's dashboard; null where there is none. */
  dashboardLink(paymentId: string): string | null
  /** The smallest amount of an order and of a refund in a currency, in minor units. */
  minimumMinor(currency: string): number
  /** The step of amounts of an order and of a refund in a currency, in minor units. Absent where any amount is taken. */
  stepMinor?(currency: string): number
  /** Whether an order that was not paid may be paid by another attempt. Then it is paid once at most. */
  allowsRetries(currency: string): boolean
  /** The id of a new order, where the shop may choose it: then `start` is not called. */
  newOrderId?(): string
  /** Opens an order and answers its id. */
  start(order: OrderRequest): Promise<string>
  /** The order at the provider, with its payments. Changes nothing. */
  lookUp(order: KnownOrder): Promise<ProviderOrder>
  /**
   * Captures this amount of an authorised payment. Absent where each payment is captured at once: then a proof
   * is of captured money.
   */
  capture?(paymentId: string, amount: Amount): Promise<void>
  /** Releases an authorised payment. Absent where the provider releases what nobody captures in time. */
  release?(paymentId: string): Promise<void>
  /**
   * Refunds a payment, up to `totalRefundMinor` or else the rest of it, and answers the progress. The provider
   * knows the captured amount; a provider that does not uses `storedMinor`. Idempotent by `key`.
   */
  refund(paymentId: string, request: RefundRequest): Promise<Refund>
  /** The progress of the refunds of a payment. */
  refunds(paymentId: string): Promise<RefundProgress>
  /** Whether the provider signed this payment of this order. Never throws. */
  verify(proof: Proof): boolean
  /** Reads a delivery of the webhook; throws `invalid` for a wrong signature. Absent where none is accepted. */
  readEvent?(delivery: Delivery): ReadDelivery
}

/** What a provider remembers in the shop's database, by keys of its own: it needs no table. */
export type Records = {
  read(key: string): Promise<unknown>
  /**
   * Replaces a record by what `change` makes of it, which is `{}` where there is none; concurrent changes of a key
   * wait for each other. A change that throws changes nothing.
   */
  change(key: string, change: (former: unknown) => object): Promise<void>
}

/** What a provider gets when it is opened. */
export type Environment = {
  log: Log
  records: Records
  isDemo: boolean
  /** Whether no provider before it in the list is open. */
  isFirst: boolean
  /** Whether the shop's payment of an order can be paid; null without one. For a provider inside the shop. */
  isPayable: (orderId: string) => Promise<boolean | null>
  /** A random secret that all processes of the shop share. */
  sharedSecret: () => Promise<string>
  /** Sends the requests of its calls, which tests may replace. */
  fetch: typeof fetch
}

/** Sources that the Content-Security-Policy and the Permissions-Policy of pages allow. */
export type PageSources = {
  /** Hosts of scripts, frames, pictures, requests and forms. */
  hosts: string[]
  /** Schemes that frames navigate to. */
  frames: string[]
  /** Origins that may request payments of the browser. */
  payment: string[]
}

/** A provider, before it is opened; `Settings` are those of the environment that it reads, by their `Schemas`. */
export type Provider<Settings, Schemas = TProperties> = {
  /** Stored in `payments.provider`; never changed. */
  name: string
  /** What texts call it, inside a sentence. */
  label: string
  /** Its settings, in `.env.example` and errors with their descriptions. */
  settings: Schemas
  /** Rules beside the schemas, by the sentence about a setting that breaks one. */
  rules: Record<string, (settings: Settings) => unknown>
  /** Whether it takes money or tests with these settings; null where it is not set up. */
  modeOf(settings: Settings): 'live' | 'test' | null
  /** The setting that shows each mode, as the end of a sentence. */
  signs: { live: string; test: string }
  /** The settings that it needs, as a part of a sentence. */
  setUp: string
  /** Whether it never takes money. */
  isTest?: true
  /** Whether an order is placed unpaid, and an admin enters its money. Its settings are in the back office. */
  isByHand?: true
  /** The settings that an admin may enter in the back office, as its form shows them. */
  keys?: { name: string; label: string; hint?: string; isSecret?: true }[]
  /** The setting without which no webhook is accepted. */
  webhookSetting?: string
  /** The host of its API, and the setting with another address of it. */
  api?: { host: string; setting: string }
  pages: PageSources
  /** For the doctor: whether it knows the keys, and its time. Changes nothing, and throws without an answer. */
  ping?(settings: Settings): Promise<{ knowsKeys: boolean; at: Date | null }>
  /** Null where it is not set up. */
  open(settings: Settings, environment: Environment): Promise<OpenedProvider | null>
}

/** Checks the types of a provider. */
export const provider = <Schemas extends TProperties>(
  definition: Provider<Static<TObject<Schemas>>, Schemas>,
) => definition

/** An optional setting; empty counts as missing. */
export const optional = (description: string) => Type.Optional(Type.String({ description }))

/** Whether the bytes are signed with the secret (HMAC-SHA256, in hexadecimal), compared in constant time. */
export function isSigned(secret: string, raw: Buffer, signature: string): boolean {
  const right = Buffer.from(createHmac('sha256', secret).update(raw).digest('hex'))
  const given = Buffer.from(signature)
  return given.length === right.length && timingSafeEqual(given, right)
}

/** One refund of a payment. */
export type OneRefund = { id: string; amountMinor: number; state: 'done' | 'pending' | 'failed' }

const sumOf = (refunds: OneRefund[]) =>
  refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

/** The progress of refunds, of which the newest is the first. */
export function sumUp(refunds: OneRefund[]): RefundProgress {
  const failed = refunds.filter(({ state }) => state === 'failed')
  const notFailed = refunds.filter(({ state }) => state !== 'failed')
  const refundedMinor = sumOf(notFailed.filter(({ state }) => state === 'done'))
  const pendingMinor = sumOf(notFailed) - refundedMinor
  const failedIds = failed.map(({ id }) => id)
  return { refundedMinor, pendingMinor, refundId: notFailed[0]?.id ?? null, failedIds }
}
