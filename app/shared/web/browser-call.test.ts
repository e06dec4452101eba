import { Type } from 'typebox'
import { afterEach, expect, it, vi } from 'vitest'
import { endpoint } from '../contract/endpoint.ts'
import { call } from './browser-call.ts'

const greet = endpoint({
  method: 'GET',
  path: '/greeting',
  access: 'public',
  summary: 'Says hello',
  answer: Type.Object({}),
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** The request headers while the browser has this cookie. */
async function headersWith(cookie: string) {
  let sent = {}
  vi.stubGlobal('document', { cookie })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: object }) => {
    sent = headers
    return Response.json({})
  })
  await call(greet)
  return sent
}

it('sends the XSRF cookie along, decoded', async () => {
  expect(await headersWith('a=1; XSRF-TOKEN=x%3D1')).toEqual({ 'x-xsrf-token': 'x=1' })
  expect(await headersWith('a=1')).toEqual({})
})

it('sends a cookie that is no proper encoding as it stands', async () => {
  expect(await headersWith('XSRF-TOKEN=%')).toEqual({ 'x-xsrf-token': '%' })
})
