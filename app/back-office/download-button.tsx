import type { ReactNode } from 'react'
import type { BrowserEndpoint } from '#app/shared/contract/endpoint.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { useDownload } from '#app/shared/web/transfer.ts'

type Props = {
  endpoint: BrowserEndpoint
  params?: Record<string, string>
  className?: string
  children: ReactNode
}

/** A button that downloads a file. */
export function DownloadButton({ endpoint, params = {}, className = '', children }: Props) {
  const { busy, download } = useDownload(endpoint, { params })
  return (
    <BusyButton type="button" busy={busy} className={className} onClick={download}>
      {children}
    </BusyButton>
  )
}
