import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { ANSWER_TIMEOUT_MS, credentials, UPLOAD_TIMEOUT_MS } from '../browser-call.ts'
import { address, CallFailure, failureBody, type Values } from '../call.ts'

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
  endpoint: Endpoint,
  { query = {}, file }: { query?: Values; file?: Blob } = {},
): Promise<Response> {
  const { method, upload } = endpoint
  const headers = { ...credentials(), ...(upload && { 'content-type': upload }) }
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), file ? UPLOAD_TIMEOUT_MS : ANSWER_TIMEOUT_MS)
  const init = { method, headers, body: file, signal: abort.signal }
  const response = await fetch(address(endpoint, {}, query), init)
    .catch(() => {
      throw new CallFailure(0, null)
    })
    .finally(() => clearTimeout(timer))
  if (!response.ok) throw new CallFailure(response.status, await failureBody(response))
  return watched(response, abort)
}
