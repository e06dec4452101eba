import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { abortable } from '#app/shared/web/browser-call.ts'
import { type Call, messageOf } from '#app/shared/web/call.ts'

/** Milliseconds without another change, after which the call is made. */
const DEBOUNCE_MS = 250

type Load<Answer> = (call: Call) => Promise<Answer>

type Result<Answer> = { of: string | null; answer: Answer | null; failure: string | null }

/**
 * What a call answers to the latest request, such as a preview of what is entered. `request` says when to call
 * again; without one there is no answer. The last answer stays until the next one; a failure takes it away.
 */
export function useAnswer<Answer>(
  request: string | null,
  load: Load<Answer>,
  failed: string,
  pause = DEBOUNCE_MS,
) {
  const [result, setResult] = useState<Result<Answer>>({ of: null, answer: null, failure: null })
  const send = useEffectEvent((signal: AbortSignal) => load(abortable(signal)))
  useEffect(() => {
    const finish = (answer: Answer | null, failure: string | null) =>
      setResult({ of: request, answer, failure })
    if (request === null) return finish(null, null)
    const abort = new AbortController()
    const timer = setTimeout(() => {
      send(abort.signal).then(
        (answer) => abort.signal.aborted || finish(answer, null),
        (error) => abort.signal.aborted || finish(null, messageOf(error, failed)),
      )
    }, pause)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [request, failed, pause])
  const isLoading = request !== result.of
  return { answer: result.answer, failure: isLoading ? null : result.failure, isLoading }
}

type Props<Answer> = {
  /** Names what is loaded: it is loaded again with another name. */
  of: string
  load: Load<Answer>
  /** Shown when a failure has no message of the server's. */
  failed: string
  /** Milliseconds to wait for another name. */
  pause?: number
  children: (answer: Answer) => ReactNode
}

/** Shows what is loaded beside the data of a page, or why it could not be. */
export function Loaded<Answer>({ of, load, failed, pause, children }: Props<Answer>) {
  const { answer, failure } = useAnswer(of, load, failed, pause)
  if (failure !== null) return <p role="alert">{failure}</p>
  return answer === null ? <p role="status">Loading …</p> : children(answer)
}
