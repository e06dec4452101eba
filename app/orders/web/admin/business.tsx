import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { type Figures, orderAdminCalls } from '#app/orders/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { NotLoaded } from '#app/shared/web/failure.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import type { Route } from './+types/business.ts'
import { BusinessLists } from './business-lists.tsx'
import { SalesTable } from './sales-table.tsx'

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
  const { currency, days, owed, paymentsInNeed } = figures
  return (
    <>
      {paymentsInNeed > 0 && <PaymentsInNeed count={paymentsInNeed} />}
      <Today days={days} currency={currency} />
      {owed.orders > 0 && <Owed owed={owed} currency={currency} />}
      <figure className="surface p-4 sm:p-6">
        <figcaption className="mb-4 font-display font-semibold text-lg">
          The last 30 days
        </figcaption>
        {/* as high as the chart, so that the layout does not shift */}
        <Suspense fallback={<div className="h-96" />}>
          <SalesChart days={days} currency={currency} />
        </Suspense>
        <SalesTable days={days} currency={currency} />
      </figure>
      <BusinessLists figures={figures} />
    </>
  )
}

const NOTHING = { orders: 0, revenue: 0 }

/** Today compared with yesterday; days are days in the shop's time zone. */
function Today({ days, currency }: Pick<Figures, 'days' | 'currency'>) {
  const format = useMoney()
  const money = (amount: number) => format(amount, currency)
  const [yesterday = NOTHING, today = NOTHING] = days.slice(-2)
  return (
    <dl className="grid gap-4 sm:grid-cols-2 sm:gap-6">
      <Against name="Revenue today" now={today.revenue} before={yesterday.revenue} print={money} />
      <Against
        name="Orders today"
        now={today.orders}
        before={yesterday.orders}
        print={(orders) => orders.toLocaleString('en-US')}
      />
    </dl>
  )
}

/** The amount that is still owed of all unpaid orders, not only today's. */
function Owed({ owed: { amount, orders }, currency }: Pick<Figures, 'owed' | 'currency'>) {
  const money = useMoney()
  return (
    <dl className="surface p-4 sm:p-6">
      <dt className="text-base-content/75">Still owed</dt>
      <dd className="wrap-anywhere">
        <strong className="font-display text-3xl">{money(amount, currency)}</strong>
        <p className="mt-1 text-sm">
          <Link to={`${href('/dashboard/admin/payments')}?state=owed`} className="link">
            {orders === 1 ? '1 unpaid order' : `${orders.toLocaleString('en-US')} unpaid orders`}
          </Link>
        </p>
      </dd>
    </dl>
  )
}

type Props = { name: string; now: number; before: number; print: (value: number) => string }

function Against({ name, now, before, print }: Props) {
  const grown = now >= before
  return (
    <div className="surface p-4 sm:p-6">
      <dt className="text-base-content/75">{name}</dt>
      <dd className="wrap-anywhere">
        <strong className="font-display text-3xl">{print(now)}</strong>
        <p className="mt-1 text-base-content/75 text-sm">
          {before > 0 && now !== before && (
            <span className={`me-2 font-semibold ${grown ? 'text-success' : 'text-error'}`}>
              {grown ? '▲' : '▼'} {percent(now, before)}
            </span>
          )}
          {print(before)} yesterday
        </p>
      </dd>
    </div>
  )
}

const percent = (now: number, before: number) =>
  new Intl.NumberFormat('en-US', { style: 'percent' }).format(Math.abs(now - before) / before)

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

const NoChart = () => (
  <p className="text-base-content/75">
    The chart could not be loaded. The table below has its figures.
  </p>
)
