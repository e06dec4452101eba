import { waitingAtom } from '#app/back-office/waiting.ts'
import type { Figures } from '#app/orders/admin-contract.ts'
import { atFirstUse } from '#app/shared/model/at-first-use.ts'
import { href } from '#app/shared/model/href.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import { useMoney } from '#app/shared/web/use-money.ts'

const share = atFirstUse(() => new Intl.NumberFormat('en-US', { style: 'percent' }))
const formatCount = (count: number) => count.toLocaleString('en-US')
const DAY_MS = 24 * 60 * 60_000
const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

const percent = (now: number, before: number) => share().format(Math.abs(now - before) / before)
/** Shares differ by points: from 25 % to 30 % by five. */
const points = (now: number, before: number) =>
  pluralize(Math.round(100 * Math.abs(now - before)), 'point', false)

type Tile = [
  name: string,
  of: (totals: Figures['totals']) => number,
  print: (value: number) => string,
  /** How it has changed, by default in percent. */
  change?: (now: number, before: number) => string,
]

/** The totals of a period compared with the time before it, and what waits for somebody. Each leads to its list. */
export function Tiles({ figures }: { figures: Figures }) {
  const { currency, totals, before, owed } = figures
  const { from, to } = figures.period
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  const earlier = days === 1 ? 'day before' : `${days} days before`
  const format = useMoney()
  const money = (amount: number) => format(amount, currency)
  const tiles: Tile[] = [
    ['Sales', ({ revenue }) => revenue, money],
    ['Orders', ({ orders }) => orders, formatCount],
    ['Average order', ({ revenue, orders }) => ratio(revenue, orders), money],
    [
      'Returning customers',
      ({ returning, orders }) => ratio(returning, orders),
      share().format,
      points,
    ],
  ]
  const waiting = useStore(waitingAtom).entries ?? []
  const facts = waiting.map(({ count, what, href }) => ({ shown: formatCount(count), what, href }))
  if (owed.orders > 0)
    facts.push({
      shown: money(owed.amount),
      what: `still owed on ${pluralize(owed.orders, 'order', false)}`,
      href: `${href('/dashboard/admin/payments')}?state=owed`,
    })
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {tiles.map(([name, of, print, change = percent]) => (
          <div key={name} className="surface p-3">
            <dt className="text-base-content/75">{name}</dt>
            <dd className="wrap-anywhere">
              <a
                href={`${href('/dashboard/admin/orders')}?${new URLSearchParams({ from, to })}`}
                className="link-hover font-semibold text-xl"
              >
                {print(of(totals))}
              </a>
              <Change
                now={of(totals)}
                before={of(before)}
                change={change(of(totals), of(before))}
                print={(value) => `${print(value)} in the ${earlier}`}
              />
            </dd>
          </div>
        ))}
      </dl>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 empty:hidden">
        {facts.map(({ shown, what, href }) => (
          <li key={href}>
            <a href={href} className="link">
              <strong>{shown}</strong> {what}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

type ChangeProps = { now: number; before: number; change: string; print: (value: number) => string }

/** How a figure has changed: as an arrow and in words, not by colour alone. */
const Change = ({ now, before, change, print }: ChangeProps) => (
  <p className="text-base-content/75 text-xs">
    {before > 0 && now !== before && (
      <span className={`me-2 font-semibold ${now > before ? 'text-success' : 'text-error'}`}>
        <span aria-hidden="true">{now > before ? '▲' : '▼'}</span>
        <span className="sr-only">{now > before ? 'up' : 'down'}</span> {change}
      </span>
    )}
    {print(before)}
  </p>
)
