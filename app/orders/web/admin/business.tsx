import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { type Figures, orderAdminCalls } from '#app/orders/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { NotLoaded } from '#app/shared/web/failure.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import type { Route } from './+types/business.ts'
import { BestSellers, LatestOrders, RunningLow, TaxTotals } from './business-lists.tsx'
import { SalesTable } from './sales-table.tsx'
import { Today } from './today.tsx'

/**
 * The chart library is large, so it is loaded after the figures. When it cannot be loaded, as after
 * a deploy while the page is open, a table is shown.
 */
const SalesChart = lazy(() => import('./sales-chart.tsx').catch(() => ({ default: NoChart })))

export const clientLoader = ({ context }: Route.ClientLoaderArgs) =>
  loadOrToast(
    context.get(callContext)(orderAdminCalls.getFigures),
    'The figures could not be loaded.',
  )

/** The sales figures, below the admin's card. */
export default function Business({ loaderData: figures }: Route.ComponentProps) {
  return (
    <section aria-labelledby="business" className="space-y-6">
      <h2 id="business" className="text-2xl">
        The day's business
      </h2>
      {figures ? <Shown figures={figures} /> : <NotLoaded />}
    </section>
  )
}

function Shown({ figures }: { figures: Figures }) {
  const { currency, days, bestSellers, taxes, runningLow, latestOrders, paymentsInNeed } = figures
  return (
    <>
      {paymentsInNeed > 0 && <PaymentsInNeed count={paymentsInNeed} />}
      <Today days={days} currency={currency} />
      <figure className="surface p-4 sm:p-6">
        <figcaption className="mb-4 font-display font-semibold text-lg">
          The last 30 days
        </figcaption>
        <Suspense fallback={<ChartOnItsWay />}>
          <SalesChart days={days} currency={currency} />
        </Suspense>
        <SalesTable days={days} currency={currency} />
      </figure>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <BestSellers products={bestSellers} currency={currency} />
        <RunningLow products={runningLow} />
      </div>
      {taxes.length > 0 && <TaxTotals taxes={taxes} currency={currency} />}
      <LatestOrders orders={latestOrders} />
    </>
  )
}

const PaymentsInNeed = ({ count }: { count: number }) => (
  <p role="alert" className="rounded-field bg-warning p-4 text-warning-content">
    {count === 1 ? 'A payment needs' : `${count.toLocaleString('en-US')} payments need`} attention.{' '}
    <Link
      to={`${href('/dashboard/admin/payments')}?state=needs_attention`}
      className="link font-semibold"
    >
      Show these payments
    </Link>
  </p>
)

/** As high as the chart, so that the layout does not shift. */
const ChartOnItsWay = () => <div className="h-96" />

const NoChart = () => (
  <p className="text-base-content/75">
    The chart could not be loaded. The table below has its figures.
  </p>
)
