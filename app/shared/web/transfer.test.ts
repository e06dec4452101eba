import { Type } from 'typebox'
import { afterEach, expect, it, vi } from 'vitest'
import { endpoint } from '#app/shared/contract/endpoint.ts'
import { ANSWER_TIMEOUT_MS } from './browser-call.ts'
import { callForBody } from './transfer.ts'

const getFile = endpoint({
  method: 'GET',
  path: '/file',
  access: 'public',
  summary: 'Sends a file',
  answer: Type.Object({}),
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('fails a body of which nothing more arrives, however long it took so far', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('localStorage', { getItem: () => null })
  let send = (_: string) => {}
  vi.stubGlobal('fetch', async (_: string, { signal }: { signal: AbortSignal }) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text))
        signal.addEventListener('abort', () => controller.error(signal.reason))
      },
    })
    return new Response(body)
  })
  const reader = (await callForBody(getFile)).body?.getReader()
  for (const text of ['a', 'b', 'c']) {
    await vi.advanceTimersByTimeAsync(ANSWER_TIMEOUT_MS - 1)
    send(text)
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(text)
  }
  const next = expect(reader?.read()).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(ANSWER_TIMEOUT_MS)
  await next
})
