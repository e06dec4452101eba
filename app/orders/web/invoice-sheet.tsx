import type { ReactNode } from 'react'
import { pictureUrl } from '#app/settings/contract.ts'
import { formatDay } from '#app/shared/model/format-day.ts'
import { PageHead } from '#app/shared/web/head.tsx'
import { useShop } from '#app/shared/web/shop.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import type { CreditNote, Invoice } from '../contract.ts'
import './invoice.css'

/** An invoice for the screen and for paper. */
export function InvoiceSheet({ invoice }: { invoice: Invoice }) {
  const { number, orderNumber, orderDate, paymentId, paidBy, refunded } = invoice
  return (
    <Sheet
      title={number === null ? `Test order ${orderNumber}` : `Invoice ${number}`}
      sold={invoice}
      refunded={refunded}
    >
      Order {orderNumber} of {formatDay(orderDate)}
      <br />
      {paidBy === undefined ? `Payment ${paymentId}` : `Payment: ${paidBy}`}
    </Sheet>
  )
}

/** A credit note for the screen and for paper. */
export function CreditNoteSheet({ creditNote }: { creditNote: CreditNote }) {
  const { number, invoiceNumber, invoiceDate, orderNumber, orderDate } = creditNote
  return (
    <Sheet title={`Credit note ${number}`} sold={creditNote}>
      For invoice {invoiceNumber} of {formatDay(invoiceDate)}
      <br />
      Order {orderNumber} of {formatDay(orderDate)}
      <br />
      Refunded on {formatDay(creditNote.refundDate)}
      {creditNote.reason !== null && `: ${creditNote.reason}`}
    </Sheet>
  )
}

/** What an invoice and a credit note have in common. */
type Sold = Invoice | CreditNote

type SheetProps = {
  title: string
  sold: Sold
  refunded?: number
  /** The order, and what the sheet refers to. */
  children: ReactNode
}

/** A page for the screen and for paper: the menus are not printed. */
function Sheet({ title, sold, refunded = 0, children }: SheetProps) {
  const shop = useShop()
  const { date, seller, buyer, recipient } = sold
  return (
    <article className="invoice surface wrap-anywhere space-y-8 p-4 sm:p-8">
      <PageHead title={title} hidden />
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div>
          {shop.logo && (
            <img
              src={pictureUrl(shop.logo.id, 400)}
              alt={shop.name}
              width={shop.logo.width}
              height={shop.logo.height}
              className="mb-4 h-10 w-auto max-w-40 logo"
            />
          )}
          <h1 className="text-3xl">{title}</h1>
          <time dateTime={date}>{formatDay(date)}</time>
        </div>
        <button type="button" onClick={() => print()} className="btn print:hidden">
          Print
        </button>
      </header>
      {sold.test && (
        <p className="rounded-field bg-warning p-3 text-warning-content">
          <strong>Sample.</strong> This was a test: no money was taken.
        </p>
      )}
      <div className="grid gap-6 sm:grid-cols-2">
        <Party
          title="Seller"
          lines={[
            seller.name,
            seller.address,
            seller.taxNumber && `Tax number: ${seller.taxNumber}`,
          ]}
        />
        <Party
          title={recipient ? 'Bill to' : 'Buyer'}
          lines={[buyer.name, buyer.address, buyer.email, buyer.phone]}
        />
        {recipient && (
          <Party title="Deliver to" lines={[recipient.name, recipient.address, recipient.phone]} />
        )}
      </div>
      {sold.lines.length > 0 && <Lines sold={sold} />}
      <Totals sold={sold} refunded={refunded} />
      <p className="text-sm">{children}</p>
    </article>
  )
}

function Party({ title, lines }: { title: string; lines: string[] }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-1 text-lg">{title}</h2>
      <p className="whitespace-pre-line">{lines.filter(Boolean).join('\n')}</p>
    </section>
  )
}

function Totals({ sold, refunded }: { sold: Sold; refunded: number }) {
  const { currency, lines, subtotal, adjustments, total } = sold
  const format = useMoney()
  const money = (amount: number) => format(amount, currency)
  const labelOf = ({ label, basis, included }: Invoice['adjustments'][number]) =>
    [included && 'incl.', label, basis !== null && `on ${money(basis)}`].filter(Boolean).join(' ')
  return (
    <dl
      aria-label="Totals"
      className="ms-auto grid w-full max-w-md grid-cols-[1fr_auto] gap-x-6 gap-y-2"
    >
      {lines.length > 0 && adjustments.length > 0 && (
        <Sum label="Subtotal" amount={money(subtotal)} />
      )}
      {adjustments.map((adjustment) => (
        <Sum
          key={`${adjustment.kind} ${adjustment.label}`}
          label={labelOf(adjustment)}
          amount={money(adjustment.amount)}
        />
      ))}
      <Sum label="Total" amount={money(total)} strong />
      {refunded > 0 && <Sum label="Refunded" amount={money(refunded)} />}
    </dl>
  )
}

function Sum({ label, amount, strong }: { label: string; amount: string; strong?: boolean }) {
  return (
    <>
      <dt className={strong ? 'font-semibold text-lg' : undefined}>{label}</dt>
      <dd className={`whitespace-nowrap text-end ${strong ? 'font-semibold text-lg' : ''}`}>
        {amount}
      </dd>
    </>
  )
}

type Line = Invoice['lines'][number]
type Column = { label: string; of: (line: Line) => string }

const percent = (rate: number | null) => (rate === null ? '–' : `${rate} %`)

/** The columns of the lines: discount and tax only where there is any. */
function columnsOf({ lines }: Sold, money: (amount: number) => string): Column[] {
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
function Lines({ sold }: { sold: Sold }) {
  const format = useMoney()
  const columns = columnsOf(sold, (amount) => format(amount, sold.currency))
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
        {sold.lines.map((line) => (
          <tr key={line._id} className="break-inside-avoid">
            <th scope="row" className="col-span-full font-normal">
              {line.name}
              {line.sku && <span className="block text-sm">SKU {line.sku}</span>}
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
