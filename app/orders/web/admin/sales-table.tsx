import type { Figures } from '#app/orders/admin-contract.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { useMoney } from '#app/shared/web/use-money.ts'

/** The chart's data as a table, for screen readers and for exact numbers. */
export function SalesTable({ days, currency }: Pick<Figures, 'days' | 'currency'>) {
  const format = useMoney()
  const money = (amount: number) => format(amount, currency)
  const { timeZone } = useShop()
  const sum = (value: 'orders' | 'revenue') => days.reduce((total, day) => total + day[value], 0)
  const orders = sum('orders')
  return (
    <>
      <p className="mt-4 text-sm">
        Together {money(sum('revenue'))} from {orders.toLocaleString('en-US')}{' '}
        {orders === 1 ? 'order' : 'orders'}. Cancelled, wholly refunded and test orders, and those
        in another currency than {currency}, do not count. Revenue is less refunds, and lost
        disputes count as refunds. Days begin at midnight in {timeZone}.
      </p>
      <details className="mt-2 text-sm">
        <summary className="cursor-pointer">Day by day</summary>
        <table className="table-sm mt-2 table">
          <thead className="text-base-content/75">
            <tr>
              <th scope="col">Day</th>
              <th scope="col" className="text-end">
                Revenue
              </th>
              <th scope="col" className="text-end">
                Orders
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, revenue, orders }) => (
              <tr key={day}>
                <th scope="row" className="font-normal">
                  <time>{day}</time>
                </th>
                <td className="text-end">{money(revenue)}</td>
                <td className="text-end">{orders}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}
