import { callOf } from '#app/shared/web/load.ts'
import { orderCalls } from '../contract.ts'
import type { Route } from './+types/invoice-page.ts'
import { InvoiceSheet } from './invoice-sheet.tsx'

export const clientLoader = ({ context, params }: Route.ClientLoaderArgs) =>
  callOf({ context })(orderCalls.getInvoice, { params })

/** The invoice of an own order. */
export default function InvoicePage({ loaderData }: Route.ComponentProps) {
  return <InvoiceSheet invoice={loaderData} />
}
