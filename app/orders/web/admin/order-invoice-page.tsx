import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { callOf } from '#app/shared/web/load.ts'
import { InvoiceSheet } from '../invoice-sheet.tsx'
import type { Route } from './+types/order-invoice-page.ts'

export const clientLoader = ({ context, params }: Route.ClientLoaderArgs) =>
  callOf({ context })(orderAdminCalls.getOrderInvoice, { params })

/** The invoice of any order, for the back office. */
export default function OrderInvoicePage({ loaderData }: Route.ComponentProps) {
  return <InvoiceSheet invoice={loaderData} />
}
