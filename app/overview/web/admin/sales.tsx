import { useState } from 'react'
import { type Column, Table } from '#app/back-office/kit/table.client.tsx'
import type { Figures } from '#app/orders/admin-contract.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import { useMoney } from '#app/shared/web/use-money.ts'

type Props = { figures: Figures }

const MONTH_AND_DAY = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const
const shortDay = (day = '') => new Date(day).toLocaleDateString('en-US', MONTH_AND_DAY)

/**
 * Sales day by day, or by week or month, as bars. The figures of the bar at which the pointer was last are in
 * a line above them: a tooltip would cover them.
 */
export function SalesChart({ figures: { days, period, currency } }: Props) {
  const money = useMoney()
  const [chosen, choose] = useState<string>()
  const shown = days.find(({ day }) => day === chosen) ?? days.at(-1)
  const max = Math.max(...days.map(({ revenue }) => revenue))
  return (
    <div aria-hidden="true">
      <p className="flex min-h-6 flex-wrap gap-x-4">
        <strong>{(period.unit === 'day' ? '' : 'From ') + shortDay(shown?.day)}</strong>
        <span>{money(shown?.revenue ?? 0, currency)}</span>
        <span>{pluralize(shown?.orders ?? 0, 'order', false)}</span>
        {max > 0 && (
          <span className="ms-auto text-base-content/75">at most {money(max, currency)}</span>
        )}
      </p>
      <div className="flex h-48 items-end border-base-300 border-y">
        {days.map(({ day, revenue }) => (
          <div
            key={day}
            onPointerEnter={() => choose(day)}
            className={`flex h-full flex-1 items-end px-px ${day === shown?.day ? 'bg-base-200' : ''}`}
          >
            <div
              style={{ height: max > 0 ? `${(90 * revenue) / max}%` : 0 }}
              className="mx-auto w-full max-w-12 rounded-t-xs bg-primary"
            />
          </div>
        ))}
      </div>
      <p className="flex justify-between text-base-content/75 text-xs">
        <span>{shortDay(days[0]?.day)}</span>
        <span>{shortDay(days.at(-1)?.day)}</span>
      </p>
    </div>
  )
}

const TITLES = { day: 'Day by day', week: 'Week by week', month: 'Month by month' }

/** The chart's data as a table, for screen readers and for exact numbers. */
export function SalesTable({ figures: { days, currency, period } }: Props) {
  const { demoAdmin, timeZone } = useShop()
  const title = TITLES[period.unit]
  const columns: Column<Figures['days'][number] & { _id: string }>[] = [
    { header: 'From', cell: ({ day }) => <time>{day}</time>, phone: 'title' },
    { header: 'Sales', money: ({ revenue }) => [revenue, currency], phone: 'end' },
    { header: 'Orders', csv: ({ orders }) => orders, align: 'end', phone: 'end' },
  ]
  return (
    <>
      <p className="text-base-content/75 text-xs">
        Less refunds and lost disputes. Cancelled and wholly refunded orders,
        {demoAdmin === null && ' test orders,'} and those in another currency than {currency}, do
        not count. Days begin at midnight in {timeZone}.
      </p>
      <details>
        <summary className="cursor-pointer">{title}</summary>
        <Table
          label={title}
          items={days.toReversed().map((one) => ({ ...one, _id: one.day }))}
          columns={columns}
          nameOf={({ day }) => day}
        />
      </details>
    </>
  )
}
