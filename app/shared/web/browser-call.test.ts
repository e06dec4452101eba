import { Type } from 'typebox'
import { afterEach, expect, it, vi } from 'vitest'
import { endpoint } from '../contract/endpoint.ts'
import { ANSWER_TIMEOUT_MS, call, UPLOAD_TIMEOUT_MS } from './browser-call.ts'

const greet = endpoint({
  method: 'GET',
  path: '/greeting',
  access: 'public',
  summary: 'Says hello',
  answer: Type.Object({}),
})

afterEach(() => {
  vi.useRealTimers()
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

const upload = endpoint({
  method: 'POST',
  path: '/file',
  access: 'public',
  summary: 'Takes a file',
  multipart: true,
  body: Type.Object({}),
  answer: Type.Object({}),
})

/** A browser whose server never answers; returns the state of a call in it. */
function stateOf(calling: () => Promise<unknown>) {
  vi.useFakeTimers()
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal(
    'fetch',
    (_: string, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  const state: { failure?: unknown } = {}
  calling().catch((failure) => {
    state.failure = failure
  })
  return state
}

it('fails a call that is not answered in time', async () => {
  const state = stateOf(() => call(greet))
  await vi.advanceTimersByTimeAsync(ANSWER_TIMEOUT_MS - 1)
  expect(state).toEqual({})
  await vi.advanceTimersByTimeAsync(1)
  expect(state.failure).toMatchObject({ status: 0, serverMessage: null })
})

it('gives a call with a file more time', async () => {
  const photo = new File(['x'], 'cup.jpg')
  const state = stateOf(() => call(upload, { body: {}, photo }))
  await vi.advanceTimersByTimeAsync(UPLOAD_TIMEOUT_MS - 1)
  expect(state).toEqual({})
  await vi.advanceTimersByTimeAsync(1)
  expect(state.failure).toMatchObject({ status: 0 })
})

it('fails an answer that is cut off like a lost connection', async () => {
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', async () => new Response('{"hello":'))
  await expect(call(greet)).rejects.toMatchObject({ status: 0, serverMessage: null })
})
