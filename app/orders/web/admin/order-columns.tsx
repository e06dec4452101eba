/** The columns of the list of orders. */
import ChevronDown from 'lucide-react/icons/chevron-down'
import { atom } from 'nanostores'
import { useState } from 'react'
import { Link } from 'react-router'
import { Checkbox } from '#app/back-office/kit/fields.tsx'
import type { Column } from '#app/back-office/kit/table.client.tsx'
import { Time } from '#app/back-office/kit/time.tsx'
import type { ListedOrder } from '#app/orders/admin-contract.ts'
import { photoUrl } from '#app/products/contract.ts'
import { LIST_PAGE_SIZE } from '#app/shared/contract/fields.ts'
import { href } from '#app/shared/model/href.ts'
import { Picture } from '#app/shared/web/pictures.tsx'
import { storedAtom, useStore } from '#app/shared/web/storage.ts'
import { linesOf } from '../order-lines.tsx'
import { paymentFact } from '../payment-fact.ts'
import { relativeDate } from '../relative-date.ts'
import { PaymentFact, StatusSelect } from './order-changes.tsx'

export const pathOf = ({ _id: orderId }: ListedOrder) =>
  href('/dashboard/admin/orders/:orderId', { orderId })

/** Whether this browser shows the products of all orders of the list. */
const allOpenAtom = storedAtom('open-orders', atom(false), (stored) => stored === true)

/** Which rows show their products: all or none, but for those that were toggled since. */
export function useOpenRows() {
  const areAllOpen = useStore(allOpenAtom)
  const [toggled, setToggled] = useState<string[]>([])
  return {
    isOpen: ({ _id }: ListedOrder) => areAllOpen !== toggled.includes(_id),
    toggle: ({ _id }: ListedOrder) =>
      setToggled(toggled.includes(_id) ? toggled.filter((one) => one !== _id) : [...toggled, _id]),
    allSwitch: (
      <Checkbox
        role="switch"
        label="Show all products"
        checked={areAllOpen}
        onChange={({ target }) => {
          allOpenAtom.set(target.checked)
          setToggled([])
        }}
      />
    ),
  }
}

type Rows = Pick<ReturnType<typeof useOpenRows>, 'isOpen' | 'toggle'> & {
  items: ListedOrder[]
  /** The page of the list. */
  page: number | undefined
}

const MAX_PHOTOS = 2

const namesOf = ({ products }: ListedOrder) =>
  linesOf(products)
    .map(({ product, quantity }) => (quantity > 1 ? `${quantity} × ${product.name}` : product.name))
    .join(', ')

type ProductsProps = { order: ListedOrder; isOpen: boolean; toggle: () => void }

/** The bought products, in small: a button that opens the row. */
const Products = ({ order, isOpen, toggle }: ProductsProps) => (
  <button
    type="button"
    aria-expanded={isOpen}
    aria-description={`Products of order ${order.number}`}
    onClick={toggle}
    className="row-products"
  >
    {linesOf(order.products)
      .slice(0, MAX_PHOTOS)
      .map(({ product }) => (
        <Picture
          key={product._id}
          src={photoUrl(product, 320)}
          size={28}
          className="size-7 shrink-0"
          lazy
        />
      ))}
    <span className="line-clamp-1">{namesOf(order)}</span>
    <ChevronDown aria-hidden="true" className={`size-4 shrink-0 ${isOpen ? 'rotate-180' : ''}`} />
  </button>
)

/** The customer, and the name that is billed, by which orders are found, too, where it is another one. */
const Customer = ({ order: { buyer, billing } }: { order: ListedOrder }) => (
  <>
    {buyer.name}
    {billing && billing.name !== buyer.name && (
      <small className="wrap-anywhere block">Billed to {billing.name}</small>
    )}
  </>
)

/** The columns; the place is that in all pages. */
export const columnsOf = ({ items, page = 1, isOpen, toggle }: Rows): Column<ListedOrder>[] => [
  {
    header: '#',
    cell: (order) => (page - 1) * LIST_PAGE_SIZE + 1 + items.indexOf(order),
    phone: 'none',
  },
  {
    header: 'Order',
    sort: 'number',
    cell: (order) => (
      <>
        <Link
          to={pathOf(order)}
          aria-label={`Order ${order.number}`}
          className="link link-hover font-medium"
        >
          {order.number}
        </Link>
        <span className="wrap-anywhere ms-2 font-normal lg:hidden">
          <Customer order={order} />
        </span>
      </>
    ),
    csv: ({ number }) => number,
    phone: 'title',
  },
  {
    header: 'Date',
    sort: 'date',
    at: ({ createAt }) => createAt,
    cell: ({ createAt }) => (
      <span className="two-lines">
        <Time at={createAt} /> <small>{relativeDate(createAt)}</small>
      </span>
    ),
  },
  {
    header: 'Customer',
    sort: 'customer',
    cell: (order) => <Customer order={order} />,
    csv: ({ buyer }) => buyer.name,
    phone: 'none',
  },
  {
    header: 'Products',
    cell: (order) => <Products order={order} isOpen={isOpen(order)} toggle={() => toggle(order)} />,
    csv: namesOf,
    phone: 'break',
  },
  { header: 'Items', align: 'end', csv: ({ products }) => products.length },
  {
    header: 'Total',
    sort: 'total',
    money: ({ total, currency }) => [total, currency],
    phone: 'end',
  },
  {
    header: 'Payment',
    cell: (order) => (
      <span className="two-lines">
        <PaymentFact order={order} />{' '}
        {order.toSend && <span className="badge badge-sm badge-warning">To send</span>}
      </span>
    ),
    csv: paymentFact,
  },
  { header: 'To send', csv: ({ toSend }) => (toSend ? 'yes' : 'no'), isOnlyInCsv: true },
  {
    header: 'Status',
    cell: (order) => <StatusSelect order={order} />,
    csv: ({ status }) => status,
  },
]
