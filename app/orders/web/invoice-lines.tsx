import { useMoney } from '#app/shared/web/money.ts'
import type { Invoice } from '../contract.ts'

type Line = Invoice['lines'][number]
type Column = { label: string; of: (line: Line) => string }

const percent = (rate: number | null) => (rate === null ? '–' : `${rate} %`)

/** The columns of an invoice: discount and tax only where there is any. */
function columnsOf({ lines }: Invoice, money: (amount: number) => string): Column[] {
  const hasDiscount = lines.some(({ discount }) => discount > 0)
  const hasTax = lines.some(({ taxRate }) => taxRate !== null)
  return [
    { label: 'Quantity', of: ({ quantity }) => String(quantity) },
    { label: 'Price', of: ({ price }) => money(price) },
    ...(hasDiscount ? [{ label: 'Discount', of: ({ discount }: Line) => money(discount) }] : []),
    { label: 'Amount', of: ({ amount }) => money(amount) },
    ...(hasTax
      ? [
          { label: 'Tax rate', of: ({ taxRate }: Line) => percent(taxRate) },
          { label: 'Tax', of: ({ tax }: Line) => money(tax) },
        ]
      : []),
  ]
}

/** The lines as a table; a narrow window stacks the cells of each line. */
export function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const format = useMoney()
  const columns = columnsOf(invoice, (amount) => format(amount, invoice.currency))
  return (
    <table aria-label="Items" className="facts table">
      <thead className="text-inherit">
        <tr>
          <th scope="col">Item</th>
          {columns.map(({ label }) => (
            <th key={label} scope="col" className="text-end">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {invoice.lines.map((line) => (
          <tr key={line._id} className="break-inside-avoid">
            <th scope="row" className="col-span-full font-normal">
              {line.name}
            </th>
            {columns.map(({ label, of }) => (
              <td key={label} data-label={label} className="lg:text-end">
                {of(line)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
