import { NumberField } from '#app/back-office/kit/fields.tsx'
import { Entries } from '#app/back-office/kit/page.tsx'
import { useMinorMoney } from '#app/back-office/kit/use-minor-money.ts'
import { MAX_CART_UNITS, type Quote } from '#app/checkout/contract.ts'
import { AddProduct } from './add-product.tsx'

export type OrderLine = { _id: string; name: string; count: number }

type Props = {
  lines: OrderLine[]
  quote: Quote | null
  onChange: (change: (lines: OrderLine[]) => OrderLine[]) => void
}

/** The products of an order made by hand: found by name, each with its quantity. */
export function OrderProducts({ lines, quote, onChange }: Props) {
  const money = useMinorMoney()
  const set = ({ _id, name }: Omit<OrderLine, 'count'>, next: (count: number) => number) =>
    onChange((present) =>
      present.some((line) => line._id === _id)
        ? present.map((line) => (line._id === _id ? { ...line, count: next(line.count) } : line))
        : [...present, { _id, name, count: next(0) }],
    )
  const describe = ({ _id, count }: OrderLine) => {
    const line = quote?.lines.find(({ product }) => product._id === _id)
    if (!quote || !line) return null
    const { stock } = line.product
    return (
      <>
        {money(line.priceMinor, quote.currency)} each ·{' '}
        <span className={count > stock ? 'font-semibold text-error' : ''}>{stock} in stock</span>
      </>
    )
  }
  return (
    <>
      <AddProduct onAdd={(one) => set(one, (count) => count + 1)} />
      <Entries
        label="Products of the order"
        empty="No product is chosen yet."
        entries={lines.map((line) => ({
          key: line._id,
          text: <strong>{line.name}</strong>,
          note: describe(line),
          end: (
            <div className="flex items-end gap-3">
              <NumberField
                label="Quantity"
                aria-label={`Quantity of ${line.name}`}
                name={`quantity ${line._id}`}
                min={1}
                max={MAX_CART_UNITS}
                required
                value={line.count || ''}
                onChange={({ target }) => {
                  const count = Math.max(0, Math.floor(target.valueAsNumber) || 0)
                  set(line, () => count)
                }}
              />
              <button
                type="button"
                aria-label={`Remove ${line.name}`}
                onClick={() => onChange((present) => present.filter(({ _id }) => _id !== line._id))}
                className="btn btn-ghost text-error"
              >
                Remove
              </button>
            </div>
          ),
        }))}
      />
    </>
  )
}
