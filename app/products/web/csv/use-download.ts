import { useState } from 'react'
import { toast } from 'react-hot-toast'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { callForBody } from '#app/shared/web/browser-call.ts'
import { said } from '#app/shared/web/call.ts'
import { MESSAGES } from '#app/shared/web/messages.ts'

/** The browser saves it under the name that the server gave. */
function save(file: Blob, disposition: string | null) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? 'export.csv'
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Downloads what only the signed-in may have: a plain link could not carry the token. */
export function useDownload(endpoint: Endpoint) {
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const response = await callForBody(endpoint)
      save(await response.blob(), response.headers.get('content-disposition'))
    } catch (error) {
      toast.error(said(error, MESSAGES.productsFailed))
    } finally {
      setBusy(false)
    }
  }
  return { busy, download }
}
