import type { FastifyInstance } from 'fastify'
import { invalid } from '../failure.ts'

/** The maximum depth; requests have a few levels. */
const MAX_DEPTH = 64
/** The maximum number of values and containers. A cart of 200 whole products has less than 10,000. */
const MAX_PARTS = 50_000

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Array.from(
  '"\\,[]{}',
  (character) => character.charCodeAt(0),
)

/** The end of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  }
  return at
}

/**
 * Why JSON text is not parsed: too deep, or too many parts. Null if it may be. A mebibyte of brackets would
 * block the event loop for 0.1 to 0.5 s and take 27 MB of heap; this scan takes some milliseconds.
 */
export function refusalOf(text: string): string | null {
  let depth = 0
  let parts = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1
    else if (code === COMMA) parts += 1
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1
      parts += 1
    }
    if (depth > MAX_DEPTH) return 'The body is nested too deeply.'
    if (parts > MAX_PARTS) return 'The body has too many parts.'
  }
  return null
}

/** A text that may contain such a key, also by escape sequences. */
const SUSPECT = /constructor|__proto__|\\u/

/** Whether a JSON body contains a key of Object's prototype (prototype poisoning). */
function isPoisoned(text: string, body: unknown): boolean {
  const pending = SUSPECT.test(text) ? [body] : []
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null) continue
    if (Object.hasOwn(value, 'constructor') || Object.hasOwn(value, '__proto__')) return true
    for (const inner of Object.values(value)) pending.push(inner)
  }
  return false
}

/**
 * Parses JSON bodies. An empty body with a content type counts as no body. Bodies that are nested deeply or
 * have many parts are refused before parsing.
 */
export function acceptJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text === '') return done(null, undefined)
    const refusal = refusalOf(text)
    if (refusal) return done(invalid(refusal))
    parse(request, text, (error, parsed) => {
      if (!error && isPoisoned(text, parsed))
        done(invalid('The body has a key that is not allowed.'))
      else done(error, parsed)
    })
  })
}
