import { useState } from 'react'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import type { Figures } from '#app/orders/admin-contract.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { useMoney } from '#app/shared/web/use-money.ts'

type Days = Pick<Figures, 'days'>

const shortDate = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
const shortDay = (day: unknown) => shortDate.format(new Date(`${day}T00:00:00Z`))

/** Colours of the theme, light and dark. */
const INK = { fill: 'var(--color-base-content)', fontSize: 12 }

/**
 * Revenue above, orders below, day by day. The day at which the pointer was last is marked in both
 * charts, and its figures are in a line above them: a tooltip would cover the bars.
 */
export default function SalesChart({ days, currency }: Days & Pick<Figures, 'currency'>) {
  const { locale } = useShop()
  const money = useMoney()
  const [chosen, choose] = useState(days.at(-1)?.day)
  const shown = days.find(({ day }) => day === chosen)
  const short = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    notation: 'compact',
  })
  return (
    <div aria-hidden="true" className="flex h-96 flex-col">
      <p className="mb-2 flex min-h-6 flex-wrap gap-x-4 text-sm tabular-nums">
        {shown && (
          <>
            <strong>{shortDay(shown.day)}</strong>
            <span>Revenue {money(shown.revenue, currency)}</span>
            <span>Orders {shown.orders.toLocaleString('en-US')}</span>
          </>
        )}
      </p>
      <DayBars
        days={days}
        value="revenue"
        name="Revenue"
        colour="var(--color-primary)"
        tick={(revenue) => short.format(revenue)}
        onChoose={choose}
        className="min-h-0 flex-3"
      />
      <DayBars
        days={days}
        value="orders"
        name="Orders"
        colour="var(--color-secondary)"
        tick={(orders) => orders.toLocaleString('en-US')}
        onChoose={choose}
        className="min-h-0 flex-2"
      />
    </div>
  )
}

type Props = Days & {
  value: 'revenue' | 'orders'
  name: string
  colour: string
  tick: (value: number) => string
  onChoose: (day: string) => void
  className: string
}

function DayBars({ days, value, name, colour, tick, onChoose, className }: Props) {
  return (
    <div className={className}>
      <p className="text-base-content/75 text-xs">{name}</p>
      <ResponsiveContainer width="100%" height="90%">
        <BarChart
          data={days}
          syncId="days"
          accessibilityLayer={false}
          onMouseMove={({ activeLabel }) => {
            if (activeLabel !== undefined) onChoose(String(activeLabel))
          }}
          margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
        >
          <CartesianGrid vertical={false} stroke="var(--color-base-300)" />
          <XAxis
            dataKey="day"
            tickFormatter={shortDay}
            tick={INK}
            tickLine={false}
            interval="equidistantPreserveStart"
            minTickGap={24}
          />
          <YAxis
            tickFormatter={tick}
            tick={INK}
            tickLine={false}
            axisLine={false}
            width={48}
            allowDecimals={false}
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: 'var(--color-base-200)' }}
            content={() => null}
          />
          <Bar dataKey={value} fill={colour} radius={[3, 3, 0, 0]} isAnimationActive={false} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}
