/** Every page and answer that is the same for everybody is made once, and then served from memory. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Schema } from '#db/schema.ts'
import type { Admit } from '../connections/render-limits.ts'
import { askInsideOf } from '../operation/ask-inside.ts'
import type { Address, Addresses } from './addresses.ts'
import { encodingChooser } from './encodings.ts'
import { followChanges } from './follow-changes.ts'
import { formOf, type Kept } from './kept.ts'
import { type Memory, openMemory } from './memory.ts'
import { type By, type Outcome, rendererOf, type Wanted } from './render.ts'
import { askerOf, isPlain, visitorOf } from './requests.ts'
import { type Exchange, type Sender, type SenderOptions, senderOf } from './sender.ts'

/** Who answers what is not kept: the framework. */
type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** Answers a request, itself or through who handles all others. */
export type Front = (request: IncomingMessage, response: ServerResponse, handle: Handle) => void

export type PageCache = {
  answer: Front
  /** What it holds at most, and holds now, in bytes. */
  bytes: () => number
  /** All that is kept. */
  contents: () => Kept[]
}

type Options = SenderOptions & {
  addresses: Addresses
  maxBytes: number
  db: Kysely<Schema>
  /** Lets a visitor have an answer made that is not kept; throws where that was too often. */
  admit: Admit
}

const wantedOf = (address: Address, { headers }: IncomingMessage): Wanted => {
  const type = address.typeFor?.(headers.accept)
  return { address, type, key: type === undefined ? address.url : `${type} ${address.url}` }
}

/** Sends what is kept as the client likes it best; the first of these makes that form. */
function sendBest(memory: Memory<Outcome>, { sendKept }: Sender) {
  const chooseEncoding = encodingChooser()
  return (exchange: Exchange, kept: Kept): void => {
    const encoding = chooseEncoding(exchange.request.headers['accept-encoding']?.toString())
    const form = formOf(kept, encoding, () => memory.entries.weigh(kept))
    if (!(form instanceof Promise)) sendKept(exchange, kept, form)
    else
      form.then((made) => sendKept(exchange, kept, made)).catch(() => exchange.response.destroy())
  }
}

type Parts = {
  memory: Memory<Outcome>
  render: ReturnType<typeof rendererOf>
  sender: Sender
  options: Options
}

/** Admits a visitor, unless somebody asks for the same already, and answers what is made. */
function makerOf({ memory, render, options: { isTrusted, admit } }: Parts) {
  return async ({ response }: Exchange, wanted: Wanted, by: By) => {
    // before others can join: a visitor who is over the limit delays no one else
    const release = memory.underWay(wanted.key)
      ? () => {}
      : await admit(wanted.address.route, visitorOf(by, isTrusted))
    const kept = memory.entries.find(wanted.key)
    if (response.closed || (kept && memory.isGood(kept, performance.now()))) {
      release()
      return kept && { kept }
    }
    const { leads, answer } = render(wanted, by)
    // a visitor who joins needs no place
    if (!leads) release()
    const outcome = await answer.finally(release)
    return leads || 'kept' in outcome ? outcome : undefined
  }
}

/** Has a new one made while the old one is served; a failure is left to the next visitor. */
function refresherOf({ memory, render, options: { idOf } }: Parts) {
  return (wanted: Wanted, request: IncomingMessage) => {
    if (memory.underWay(wanted.key)) return
    render(wanted, askerOf(request, idOf(request))).answer.catch(() => {})
  }
}

/** Serves what is kept, and lets be made what is not. */
function serverOf(parts: Parts) {
  const { memory, sender, options } = parts
  const { stopping, idOf, meters } = options
  const made = makerOf(parts)
  const refresh = refresherOf(parts)
  const send = sendBest(memory, sender)

  /** Asks the shop, or waits for who does; what is not for everybody, each asks for by itself. */
  function ask(exchange: Exchange, wanted: Wanted, handle: Handle) {
    const { request, response } = exchange
    const id = idOf(request)
    stopping.waitFor(response)
    made(exchange, wanted, askerOf(request, id))
      .then((outcome) => {
        if (!outcome) return handle(request, response)
        if ('kept' in outcome) return send(exchange, outcome.kept)
        const { route } = wanted.address
        return sender.sendReply(exchange, outcome.reply, { route, id })
      })
      // a visitor who was not admitted is refused by the framework
      .catch(() => (response.headersSent ? response.destroy() : handle(request, response)))
  }

  return (exchange: Exchange, wanted: Wanted, handle: Handle) => {
    const { request, response, came } = exchange
    const kept = memory.entries.find(wanted.key)
    const isDue = kept !== undefined && came >= kept.refreshFrom
    // who says who they are never lets anything be made for others
    const isNobody = request.headers.authorization === undefined
    const isServed = kept && memory.isGood(kept, came) && (isNobody || !isDue)
    meters?.looked('pages', Boolean(isServed))
    if (isServed) {
      send(exchange, kept)
      if (isDue) refresh(wanted, request)
    } else if (isNobody && (kept || memory.knows())) ask(exchange, wanted, handle)
    else handle(request, response)
  }
}

/**
 * Opens the cache in front of the app. It serves from the moment that the app listens, and only as
 * long as it hears of every change.
 */
export function openPageCache(app: FastifyInstance, options: Options): PageCache {
  const { addresses, maxBytes, stopping, db } = options
  const memory = openMemory<Outcome>(maxBytes)
  const render = rendererOf(askInsideOf(app), memory)
  const serve = serverOf({ memory, render, sender: senderOf(options), options })
  followChanges(app, db, memory)
  const answer: Front = (request, response, handle) => {
    const isUsual = isPlain(request) && !stopping.isStopping()
    const address = isUsual ? addresses.find(request.url ?? '') : undefined
    if (!address) return handle(request, response)
    const exchange = { request, response, came: performance.now() }
    serve(exchange, wantedOf(address, request), handle)
  }
  const { bytes, all: contents } = memory.entries
  return { answer, bytes, contents }
}
