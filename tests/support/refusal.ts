import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { FAILURES } from '#app/shared/contract/failure.ts'

/** The answer is a success, or a failure of the declared shape without internals. */
export function expectManners(reply: LightMyRequestResponse, what: string) {
  expect(reply.statusCode, `${what}: ${reply.body.slice(0, 300)}`).toBeLessThan(500)
  if (reply.statusCode < 400 || reply.raw.req.method === 'HEAD') return
  const body = reply.json()
  expect(body, what).toMatchObject({ success: false, message: expect.stringMatching(/\S/) })
  expect(Object.entries(FAILURES), what).toContainEqual([body.code, reply.statusCode])
  expect(reply.body, what).not.toMatch(/\bat \S+:\d+|node_modules|select |FST_|stack/i)
}

/** The request is refused with this status, in the declared shape. */
export function expectRefusal(reply: LightMyRequestResponse, status: number, what: string) {
  expect(reply.statusCode, `${what}: ${reply.body.slice(0, 300)}`).toBe(status)
  expectManners(reply, what)
}

export const json = (payload: string): Pick<InjectOptions, 'headers' | 'payload'> => ({
  headers: { 'content-type': 'application/json' },
  payload,
})
