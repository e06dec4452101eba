import { StateFilter } from '#app/back-office/filters.tsx'
import { ListPage } from '#app/back-office/list-page.tsx'
import {
  PAYMENT_FILTERS,
  type PaymentFilter,
  paymentAdminCalls,
} from '#app/payments/admin-contract.ts'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'
import type { Route } from './+types/payments-page.ts'
import { ListedPaymentCard, STATE_NAMES } from './listed-payment-card.tsx'

export const clientLoader = async ({ context, request }: Route.ClientLoaderArgs) => {
  const { searchParams } = new URL(request.url)
  const state = PAYMENT_FILTERS.find((one) => one === searchParams.get('state'))
  const query = { page: pageOf(searchParams), ...(state && { state }) }
  const found = await loadOrToast(
    context.get(callContext).counted(paymentAdminCalls.getPayments, { query }),
    'The payments could not be loaded.',
  )
  return { found, state }
}

function emptyText(state: PaymentFilter | undefined): string {
  if (state === 'needs_attention') return 'No payment needs attention.'
  return state ? 'There are no payments in this state.' : 'There are no payments yet.'
}

/** Payments, newest first, with the next action of those that did not simply pay their order. */
export default function PaymentsPage({ loaderData: { found, state } }: Route.ComponentProps) {
  return (
    <ListPage
      title="Payments"
      what="payment"
      found={found}
      entry={(payment) => <ListedPaymentCard payment={payment} />}
      empty={emptyText(state)}
      tools={
        <StateFilter state={state} states={PAYMENT_FILTERS} nameOf={(one) => STATE_NAMES[one]} />
      }
    />
  )
}
