import type { Figures } from '#app/orders/admin-contract.ts'
import { useMoney } from '#app/shared/web/money.ts'

const NOTHING = { orders: 0, revenue: 0 }

/** Today compared with yesterday; days are days in the shop's time zone. */
export function Today({ days, currency }: Pick<Figures, 'days' | 'currency'>) {
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
