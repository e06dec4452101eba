import { callOf } from '#app/shared/web/load.ts'
import { orderCalls } from '../contract.ts'
import type { Route } from './+types/credit-note-page.ts'
import { CreditNoteSheet } from './invoice-sheet.tsx'

export const clientLoader = ({ context, params }: Route.ClientLoaderArgs) =>
  callOf({ context })(orderCalls.getCreditNote, { params: { number: Number(params.number) } })

/** The credit note of a refund of an own order. */
export default function CreditNotePage({ loaderData }: Route.ComponentProps) {
  return <CreditNoteSheet creditNote={loaderData} />
}
