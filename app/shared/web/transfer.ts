import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { BrowserEndpoint } from '#app/shared/contract/endpoint.ts'
import { ANSWER_TIMEOUT_MS, credentials, UPLOAD_TIMEOUT_MS } from './browser-call.ts'
import {
  address,
  CallFailure,
  callThrough,
  failureBody,
  isRefused,
  messageOf,
  type Values,
} from './call.ts'
import { toast } from './toast.tsx'

/** The response, whose body fails when nothing more of it arrives in time. */
function watched(response: Response, abort: AbortController): Response {
  let timer: ReturnType<typeof setTimeout> | undefined
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => abort.abort(), ANSWER_TIMEOUT_MS)
  }
  const watch = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    start: restart,
    transform(part, controller) {
      restart()
      controller.enqueue(part)
    },
    flush: () => clearTimeout(timer),
  })
  return new Response(response.body?.pipeThrough(watch), response)
}

/**
 * Makes a call with a file, or with an answer that is not JSON, with the stored session; returns
 * the response, whose body may arrive for as long as it takes. Throws `CallFailure`.
 */
export async function callForBody(
  endpoint: BrowserEndpoint,
  { params = {}, query = {}, file }: { params?: Values; query?: Values; file?: Blob } = {},
): Promise<Response> {
  const { method, upload } = endpoint
  const headers = { ...credentials(), ...(upload && { 'content-type': upload }) }
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), file ? UPLOAD_TIMEOUT_MS : ANSWER_TIMEOUT_MS)
  const init = { method, headers, body: file, signal: abort.signal }
  const response = await fetch(address(endpoint, params, query), init)
    .catch(() => {
      throw new CallFailure(0, null)
    })
    .finally(() => clearTimeout(timer))
  if (!response.ok) throw new CallFailure(response.status, await failureBody(response))
  return watched(response, abort)
}

/** Calls the API with a file, and tells what share of it was sent, from 0 to 1, which `fetch` does not. */
export const callWithProgress = (onProgress: (share: number) => void) =>
  callThrough(
    (url, { method, headers, body }) =>
      new Promise((resolve, reject) => {
        const request = new XMLHttpRequest()
        request.open(method, url)
        for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
        const timer = setTimeout(() => request.abort(), UPLOAD_TIMEOUT_MS)
        request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
        request.onload = () =>
          resolve({
            ok: request.status >= 200 && request.status < 300,
            status: request.status,
            json: async () => JSON.parse(request.responseText),
            headers: { get: (name) => request.getResponseHeader(name) },
          })
        request.onerror = reject
        request.onabort = reject
        request.onloadend = () => clearTimeout(timer)
        request.send(body)
      }),
    credentials,
  )

/** The time for a browser to start saving, in milliseconds. */
const TIME_TO_SAVE = 60_000

/** Saves a file in the way of the browser. */
export function saveFile(file: Blob, name: string) {
  const link = document.createElement('a')
  const address = URL.createObjectURL(file)
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), TIME_TO_SAVE)
}

/** Downloads a file with the session's token, which a plain link could not send. */
export function useDownload(endpoint: BrowserEndpoint, input?: { params: Values }) {
  const { revalidate } = useRevalidator()
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const response = await callForBody(endpoint, input)
      const disposition = response.headers.get('content-disposition') ?? ''
      const name = /filename="([^"]+)"/.exec(disposition)?.[1] ?? 'export'
      saveFile(await response.blob(), name)
    } catch (error) {
      toast.error(messageOf(error, 'The file could not be downloaded.'))
      if (isRefused(error)) void revalidate()
    } finally {
      setBusy(false)
    }
  }
  return { busy, download }
}
