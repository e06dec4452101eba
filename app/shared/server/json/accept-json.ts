import type { FastifyInstance } from 'fastify'
import { invalid } from '../failure.ts'
import { isTooDeep } from './depth.ts'

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
