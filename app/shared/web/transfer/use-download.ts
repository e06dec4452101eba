import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { isRefused, messageOf } from '../call.ts'
import { toast } from '../toast/toast.ts'
import { callForBody } from './call-for-body.ts'

/** The time for a browser to start saving, in milliseconds. */
const TIME_TO_SAVE = 60_000

/** Saves under the name that the server gave. */
function save(file: Blob, disposition: string | null) {
  const link = document.createElement('a')
  const address = URL.createObjectURL(file)
  link.href = address
  link.download = /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? 'export'
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), TIME_TO_SAVE)
}

/** Downloads a file with the session's token, which a plain link could not send. */
export function useDownload(endpoint: Endpoint) {
  const { revalidate } = useRevalidator()
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const response = await callForBody(endpoint)
      save(await response.blob(), response.headers.get('content-disposition'))
    } catch (error) {
      toast.error(messageOf(error, 'The file could not be downloaded.'))
      if (isRefused(error)) void revalidate()
    } finally {
      setBusy(false)
    }
  }
  return { busy, download }
}
