import type { FastifyInstance } from 'fastify'
import { invalid } from '../failure.ts'
import { isTooDeep } from './depth.ts'

/** What a text must hold to name such a key, also where it writes its letters as escapes. */
const SUSPECT = /constructor|__proto__|\\u/

/** Whether a JSON body names what JavaScript objects inherit; nothing honest does. */
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
 * Some clients name a content type although they send nothing: that is no body, not a bad one.
 * What is nested too deeply is not even parsed.
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
