import { useState } from 'react'
import { useRevalidator } from 'react-router'
import {
  type ImportOptions,
  type ImportStep,
  productCsvCalls,
} from '#app/products/admin-contract.ts'
import { CallFailure, isRefused, messageOf } from '#app/shared/web/call.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { callForBody } from '#app/shared/web/transfer.ts'

type Step<Kind extends ImportStep['step']> = Extract<ImportStep, { step: Kind }>
export type Progress = Step<'checking'> | Step<'writing'>
export type Outcome = Step<'done'>

/** Parses the lines of the response as they arrive. */
async function* stepsOf(response: Response): AsyncGenerator<ImportStep> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return
    const lines = (text + value).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}

/**
 * Reads the response to its end and returns the outcome. A response that breaks off is a failure.
 */
async function follow(
  response: Response,
  onProgress: (progress: Progress) => void,
): Promise<Outcome> {
  for await (const step of stepsOf(response)) {
    if (step.step === 'done') return step
    if (step.step === 'failed') throw new CallFailure(response.status, step)
    onProgress(step)
  }
  throw new CallFailure(0, null)
}

/** The message when the server sends none: it is unknown whether the import went on. */
const failed = ({ dryRun }: ImportOptions) =>
  dryRun
    ? 'The file could not be checked.'
    : 'The connection was lost during the import. Check the file again to see whether it was imported.'

/** Sends a file to be checked or imported, one at a time. The outcome is shown until `clear`. */
export function useImport() {
  const { revalidate } = useRevalidator()
  const [progress, setProgress] = useState<Progress | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const send = async (file: File, options: ImportOptions) => {
    setOutcome(null)
    setProgress({ step: 'checking', rows: 0 })
    try {
      const { importProducts } = productCsvCalls
      const response = await callForBody(importProducts, { query: options, file })
      const done = await follow(response, setProgress)
      setOutcome(done)
      if (!done.imported) return
      toast.success(done.message)
      // the navbar shows the new categories
      void revalidate()
    } catch (error) {
      toast.error(messageOf(error, failed(options)))
      if (isRefused(error)) void revalidate()
    } finally {
      setProgress(null)
    }
  }
  return { progress, outcome, send, clear: () => setOutcome(null) }
}
