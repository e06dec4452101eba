import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { callOf } from '#app/shared/web/load.ts'
import { CreditNoteSheet } from '../invoice-sheet.tsx'
import type { Route } from './+types/order-credit-note-page.ts'

export const clientLoader = ({ context, params }: Route.ClientLoaderArgs) =>
  callOf({ context })(orderAdminCalls.getOrderCreditNote, {
    params: { number: Number(params.number) },
  })

/** The credit note of a refund of any order, for the back office. */
export default function OrderCreditNotePage({ loaderData }: Route.ComponentProps) {
  return <CreditNoteSheet creditNote={loaderData} />
}
