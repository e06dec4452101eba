import type { FastifyInstance } from 'fastify'
import { invalid } from '../failure.ts'

/** The maximum depth; requests have a few levels. */
const MAX_DEPTH = 64

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Array.from(
  '"\\[]{}',
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
 * Whether JSON text is nested too deeply. Parsing a mebibyte of brackets would block the event loop
 * for half a second; this scan takes some milliseconds.
 */
export function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1
      if (depth > MAX_DEPTH) return true
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1
  }
  return false
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
 * Parses JSON bodies. An empty body with a content type counts as no body. Deeply nested bodies are
 * refused before parsing.
 */
export function acceptJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text === '') return done(null, undefined)
    if (isTooDeep(text)) return done(invalid('The body is nested too deeply.'))
    parse(request, text, (error, parsed) => {
      if (!error && isPoisoned(text, parsed))
        done(invalid('The body has a key that is not allowed.'))
      else done(error, parsed)
    })
  })
}
