/** Every page and answer that is the same for everybody is made once, and then served from memory. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { askInsideOf } from '../operation/ask-inside.ts'
import type { Address, Addresses } from './addresses.ts'
import { encodingChooser } from './encodings.ts'
import { followChanges } from './follow-changes.ts'
import { formOf, type Kept } from './kept.ts'
import { openMemory } from './memory.ts'
import { type Outcome, rendererOf, type Wanted } from './render.ts'
import { askerOf, isPlain } from './requests.ts'
import { type Exchange, type SenderOptions, senderOf } from './sender.ts'

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

type Options = SenderOptions & { addresses: Addresses; maxBytes: number; db: Kysely<Schema> }

const wantedOf = (address: Address, { headers }: IncomingMessage): Wanted => {
  const type = address.typeFor?.(headers.accept)
  return { address, type, key: type === undefined ? address.url : `${type} ${address.url}` }
}

/**
 * Opens the cache in front of the app. It serves from the moment that the app listens, and only as
 * long as it hears of every change.
 */
export function openPageCache(app: FastifyInstance, options: Options): PageCache {
  const { addresses, maxBytes, stopping, idOf, meters } = options
  const memory = openMemory<Outcome>(maxBytes)
  const render = rendererOf(askInsideOf(app), memory)
  const chooseEncoding = encodingChooser()
  const { sendKept, sendReply } = senderOf(options)
  followChanges(app, options.db, memory)

  function send(exchange: Exchange, kept: Kept) {
    const encoding = chooseEncoding(exchange.request.headers['accept-encoding']?.toString())
    const form = formOf(kept, encoding, () => memory.weigh(kept))
    if (!(form instanceof Promise)) return sendKept(exchange, kept, form)
    return form.then((made) => sendKept(exchange, kept, made))
  }

  /** Asks the shop, or waits for who does; what is not for everybody, each asks for by itself. */
  function ask(exchange: Exchange, wanted: Wanted, handle: Handle) {
    const { request, response } = exchange
    const id = idOf(request)
    stopping.waitFor(response)
    const { leads, answer } = render(wanted, askerOf(request, id))
    const { route } = wanted.address
    answer
      .then((outcome) => {
        if ('kept' in outcome) return send(exchange, outcome.kept)
        if (leads) return sendReply(exchange, outcome.reply, { route, id })
        return handle(request, response)
      })
      .catch(() => (response.headersSent ? response.destroy() : handle(request, response)))
  }

  function refresh(wanted: Wanted, request: IncomingMessage) {
    if (memory.asked.has(wanted.key)) return
    // whoever needs it next asks again
    render(wanted, askerOf(request, idOf(request))).answer.catch(() => {})
  }

  const answer: Front = (request, response, handle) => {
    const plain = isPlain(request) && !stopping.isStopping()
    const address = plain ? addresses.find(request.url ?? '') : undefined
    if (!address) return handle(request, response)
    const wanted = wantedOf(address, request)
    const kept = memory.find(wanted.key)
    const exchange = { request, response, came: performance.now() }
    const isDue = kept !== undefined && exchange.came >= kept.refreshFrom
    // who says who they are never lets anything be made for others
    const isNobody = request.headers.authorization === undefined
    const isServed = kept && memory.isGood(kept, exchange.came) && (isNobody || !isDue)
    meters?.looked('pages', Boolean(isServed))
    if (isServed) {
      send(exchange, kept)
      if (isDue) refresh(wanted, request)
    } else if (isNobody && (kept || memory.knows())) ask(exchange, wanted, handle)
    else handle(request, response)
  }
  return { answer, bytes: memory.bytes, contents: memory.all }
}
