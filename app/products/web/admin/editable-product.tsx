import { Link, useLocation } from 'react-router'
import { editPath, type Product } from '#app/products/contract.ts'
import { useMoney } from '#app/shared/web/money.ts'
import { truncate } from '#app/shared/web/texts.ts'
import { ProductPhoto } from '../product-photo.tsx'
import type { ListState } from './list-path.ts'

/** A product in the admin grid, with a link to its edit page (spec §2). */
export function EditableProduct({ product }: { product: Product }) {
  const money = useMoney()
  const { search } = useLocation()
  const state: ListState = { list: search }
  return (
    <Link
      to={editPath(product)}
      state={state}
      className="surface flex h-full flex-col overflow-hidden transition-shadow duration-200 hover:shadow-lg hover:shadow-neutral/10"
    >
      <ProductPhoto
        product={product}
        height={200}
        widths={[320, 640]}
        sizes="(width >= 64rem) 19rem, 50vw"
      />
      <div className="wrap-anywhere flex flex-1 flex-col gap-1.5 p-4">
        <h2 className="line-clamp-4 text-lg leading-snug">{product.name}</h2>
        <p className="text-pretty text-base-content/75 text-sm">
          {truncate(product.description, 80)}
        </p>
        <p className="mt-auto flex flex-wrap justify-between gap-x-4 pt-2 text-sm">
          <span className="font-semibold text-secondary">{money(product.price)}</span>
          <span className={product.quantity === 0 ? 'font-semibold text-error' : undefined}>
            {product.quantity === 0
              ? 'Out of stock'
              : `${product.quantity.toLocaleString('en-US')} in stock`}
          </span>
        </p>
      </div>
    </Link>
  )
}
