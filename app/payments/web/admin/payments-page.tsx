import { useLocation } from 'react-router'
import { StateFilter } from '#app/back-office/filters.tsx'
import {
  PAYMENT_FILTERS,
  PAYMENTS_PAGE_SIZE,
  type PaymentFilter,
  paymentAdminCalls,
} from '#app/payments/admin-contract.ts'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { ListTitle, Pages } from '#app/shared/web/list.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import type { Route } from './+types/payments-page.ts'
import { ListedPaymentCard, STATE_NAMES } from './listed-payment-card.tsx'

export const clientLoader = async ({ context, request }: Route.ClientLoaderArgs) => {
  const { searchParams } = new URL(request.url)
  const page = pageOf(searchParams)
  const state = PAYMENT_FILTERS.find((one) => one === searchParams.get('state'))
  const query = { page, ...(state && { state }) }
  const found = await loadOrToast(
    context.get(callContext).counted(paymentAdminCalls.getPayments, { query }),
    'The payments could not be loaded.',
  )
  return { found, page, state }
}

function emptyText(state: PaymentFilter | undefined): string {
  if (state === 'needs_attention') return 'No payment needs attention.'
  return state ? 'There are no payments in this state.' : 'There are no payments yet.'
}

/** Payments, newest first, with the next action of those that did not simply pay their order. */
export default function PaymentsPage({ loaderData: { found, page, state } }: Route.ComponentProps) {
  const last = useLastLoaded(found, useLocation().search)
  return (
    <section className="space-y-6">
      <PageHead title="Payments" hidden />
      <header className="flex flex-wrap items-end justify-between gap-4">
        <ListTitle title="Payments" counted={last && pluralize(last.total, 'payment', false)} />
        <StateFilter state={state} states={PAYMENT_FILTERS} names={STATE_NAMES} />
      </header>
      {!found && <NotLoaded />}
      {last && (
        <>
          <ul className="surface divide-y divide-base-300">
            {last.items.map((payment) => (
              <li key={payment._id}>
                <ListedPaymentCard payment={payment} />
              </li>
            ))}
            {last.items.length === 0 && (
              <li className="px-6 py-16 text-center text-lg">{emptyText(state)}</li>
            )}
          </ul>
          <Pages page={page} total={last.total} pageSize={PAYMENTS_PAGE_SIZE} />
        </>
      )}
    </section>
  )
}
