import { Entries } from '#app/back-office/kit/card.tsx'
import { type Choice, Combobox } from '#app/back-office/kit/combobox.client.tsx'
import { NumberField } from '#app/back-office/kit/fields.tsx'
import { MAX_CART_UNITS, type Quote } from '#app/checkout/contract.ts'
import { catalogueCalls } from '#app/products/catalogue-contract.ts'
import type { Call } from '#app/shared/web/call.ts'
import { useMoney } from '#app/shared/web/use-money.ts'

export type OrderLine = { _id: string; name: string; count: number }

type Props = {
  lines: OrderLine[]
  quote: Quote | null
  onChange: (lines: OrderLine[]) => void
}

/** The products of an order made by hand: found by name, each with its quantity. */
export function OrderProducts({ lines, quote, onChange }: Props) {
  const money = useMoney()
  const search = async (q: string, call: Call): Promise<Choice[]> => {
    const found = await call(catalogueCalls.listCatalogue, { query: { q } })
    return found.slice(0, 20).map(({ _id, name, price, quantity }) => ({
      value: _id,
      label: name,
      note: `${money(price)} · ${quantity > 0 ? `${quantity} in stock` : 'Sold out'}`,
    }))
  }
  const set = ({ _id, name }: Omit<OrderLine, 'count'>, count: number) => {
    const isIn = lines.some((line) => line._id === _id)
    const changed = lines.map((line) => (line._id === _id ? { ...line, count } : line))
    onChange(isIn ? changed : [...lines, { _id, name, count }])
  }
  const countOf = (id: string) => lines.find(({ _id }) => _id === id)?.count ?? 0
  const describe = ({ _id, count }: OrderLine) => {
    const line = quote?.lines.find(({ product }) => product._id === _id)
    if (!quote || !line) return null
    const { stock } = line.product
    return (
      <>
        {money(line.priceMinor / 100, quote.currency)} each ·{' '}
        <span className={count > stock ? 'font-semibold text-error' : ''}>{stock} in stock</span>
      </>
    )
  }
  return (
    <>
      <Combobox
        label="Add a product"
        name="product"
        placeholder="Part of the name"
        search={search}
        clears
        onChoose={(one) => one && set({ _id: one.value, name: one.label }, countOf(one.value) + 1)}
      />
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
                onChange={({ target }) =>
                  set(line, Math.max(0, Math.floor(target.valueAsNumber) || 0))
                }
              />
              <button
                type="button"
                aria-label={`Remove ${line.name}`}
                onClick={() => onChange(lines.filter((one) => one !== line))}
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
