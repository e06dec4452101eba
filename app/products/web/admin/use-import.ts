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

/** The message when the server sends none: it is unknown whether the import went on. */
const failed = ({ dryRun }: ImportOptions) =>
  dryRun
    ? 'The file could not be checked.'
    : 'The connection was lost during the import. Check the file again to see whether it was imported.'

/**
 * Sends a file to be checked or imported, one at a time. The last step, or the problem of a file that is refused
 * as a whole, is shown until `clear`.
 */
export function useImport() {
  const { revalidate } = useRevalidator()
  const [step, setStep] = useState<ImportStep | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const send = async (file: File, options: ImportOptions) => {
    setStep({ step: 'checking', rows: 0 })
    setProblem(null)
    try {
      const { importProducts } = productCsvCalls
      const response = await callForBody(importProducts, { query: options, file })
      let last: ImportStep | null = null
      for await (last of stepsOf(response)) {
        if (last.step === 'failed') throw new CallFailure(response.status, last)
        setStep(last)
      }
      // a response that breaks off
      if (last?.step !== 'done') throw new CallFailure(0, null)
      if (!last.imported) return
      toast.success(last.message)
      // the navbar shows the new categories
      void revalidate()
    } catch (error) {
      setStep(null)
      const message = messageOf(error, failed(options))
      if (error instanceof CallFailure && error.code === 'invalid') setProblem(message)
      else toast.error(message)
      if (isRefused(error)) void revalidate()
    }
  }
  const clear = () => {
    setStep(null)
    setProblem(null)
  }
  return { step, problem, send, clear }
}
