/** The columns of the list of products. */
import { Link, useLocation } from 'react-router'
import type { Changed } from '#app/back-office/kit/form-dialog.tsx'
import { InPlace, MoneyInPlace } from '#app/back-office/kit/row/in-place.tsx'
import type { Column } from '#app/back-office/kit/table.client.tsx'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { variantsPath } from '#app/products/admin-model.ts'
import type { CatalogueEntry, StockLevel } from '#app/products/catalogue-contract.ts'
import { editPath, photoUrl } from '#app/products/contract.ts'
import type { ProductStatus } from '#app/products/publication-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { truncate } from '#app/shared/web/texts.ts'
import { useMoney } from '#app/shared/web/use-money.ts'

export const STOCK_NAMES: Record<StockLevel, string> = {
  in: 'In stock',
  low: 'Low',
  out: 'Sold out',
}
/** As `status` of a product, in words. */
export const STATUS_NAMES: Record<ProductStatus, string> = {
  draft: 'Draft',
  published: 'Published',
  archived: 'Archived',
}

const OF_VARIANT: Record<StockLevel, string> = {
  in: 'In stock',
  low: 'A variant runs low',
  out: 'A variant is sold out',
}

/** The least that there is of the variants of a product in the shop; of another one, why it is not there. */
function stateOf({ status, stock, isStockOfVariant }: CatalogueEntry) {
  if (status !== 'published') return STATUS_NAMES[status]
  return isStockOfVariant ? OF_VARIANT[stock] : STOCK_NAMES[stock]
}

const STOCK_LOOKS: Record<StockLevel, string> = {
  in: 'badge-ghost',
  low: 'badge-warning',
  out: 'badge-neutral',
}

type Body = Parameters<typeof call<typeof productAdminCalls.updateProduct>>[1]['body']

/** Saves what is typed in a row, and takes it back if nobody has edited the product since. */
async function saveInPlace(id: string, body: Body, former: Body): Promise<Changed> {
  const update = (body: Body) => call(productAdminCalls.updateProduct, { params: { id }, body })
  const { message, products } = await update(body)
  return { message, undo: () => update({ ...former, updatedAt: products.updatedAt }) }
}

/** The photo, the name, and the beginning of the description (spec §2). */
function Name({ product }: { product: CatalogueEntry }) {
  const { search } = useLocation()
  return (
    <span className="flex min-w-0 items-center gap-2">
      <img
        src={photoUrl(product, 320)}
        alt=""
        loading="lazy"
        decoding="async"
        className="size-7 shrink-0 rounded-selector bg-base-200 object-contain"
      />
      <span className="max-w-xl lg:line-clamp-1">
        {/* the page of the product leads back to the same list */}
        <Link
          to={editPath(product)}
          state={{ list: search }}
          className="font-medium hover:underline"
        >
          {product.name}
        </Link>
        <span className="line-clamp-1 font-normal text-base-content/75 lg:ms-2 lg:inline">
          {truncate(product.description, 80)}
        </span>
      </span>
    </span>
  )
}

/** The state of a product; on a phone, where there is little room, in a word or two. */
function State({ product }: { product: CatalogueEntry }) {
  const { status, stock, isStockOfVariant } = product
  if (status !== 'published' || !isStockOfVariant) return stateOf(product)
  return (
    <>
      <span className="max-md:hidden">{OF_VARIANT[stock]}</span>
      <span className="md:hidden">Variant {STOCK_NAMES[stock].toLowerCase()}</span>
    </>
  )
}

/** The price, which is edited in place; with options the range of prices, which leads to the variants. */
function Price({ product }: { product: CatalogueEntry }) {
  const { _id: id, name, price, regularPrice = price, highestPrice, updatedAt } = product
  const money = useMoney()
  if (highestPrice !== undefined)
    return (
      <Link
        to={variantsPath(product)}
        aria-label={`Prices of the variants of ${name}`}
        className="link link-hover whitespace-nowrap"
      >
        {highestPrice > price ? `${money(price)} – ${money(highestPrice)}` : money(price)}
      </Link>
    )
  return (
    <>
      <MoneyInPlace
        label={`Price of ${name}`}
        value={regularPrice}
        save={(typed) => saveInPlace(id, { price: typed, updatedAt }, { price: regularPrice })}
      />
      {regularPrice !== price && <span className="block pt-1">On sale: {money(price)}</span>}
    </>
  )
}

export const COLUMNS: Column<CatalogueEntry>[] = [
  {
    header: 'Name',
    sort: 'name',
    phone: 'title',
    cell: (product) => <Name product={product} />,
    csv: ({ name }) => name,
  },
  {
    header: 'Status',
    cell: (product) => (
      <span
        className={`badge badge-sm whitespace-nowrap ${
          product.status === 'published' ? STOCK_LOOKS[product.stock] : 'badge-outline'
        }`}
      >
        <State product={product} />
      </span>
    ),
    csv: stateOf,
  },
  {
    header: 'Stock',
    sort: 'quantity',
    align: 'end',
    cell: ({ _id: id, name, slug, quantity, quantityOfAll }) =>
      quantityOfAll !== undefined ? (
        <Link
          to={variantsPath({ slug })}
          aria-label={`${quantityOfAll.toLocaleString('en-US')}, stock of all variants of ${name}`}
          className="link link-hover"
        >
          {quantityOfAll.toLocaleString('en-US')}
        </Link>
      ) : (
        <InPlace
          label={`Stock of ${name}`}
          value={`${quantity}`}
          hasReason
          save={(text, reason) => {
            // what was sold since the list was loaded is taken from the quantity that is typed
            const typed = text === '' ? Number.NaN : Number(text)
            const former = { quantity, quantityRead: typed }
            return saveInPlace(id, { quantity: typed, quantityRead: quantity, reason }, former)
          }}
        >
          {quantity.toLocaleString('en-US')}
        </InPlace>
      ),
    csv: ({ quantity, quantityOfAll = quantity }) => quantityOfAll,
  },
  {
    header: 'Price',
    sort: 'price',
    align: 'end',
    phone: 'end',
    cell: (product) => <Price product={product} />,
    csv: ({ price }) => price,
  },
  {
    header: 'Category',
    sort: 'category',
    cell: ({ category }) => <span className="block max-w-48 truncate">{category.name}</span>,
    csv: ({ category }) => category.name,
  },
  { header: 'Added', sort: 'created', at: ({ createdAt }) => createdAt, phone: 'none' },
]
