import { useId } from 'react'
import { photoUrl, productPath } from '#app/products/contract.ts'
import { isId } from '#app/shared/contract/fields.ts'
import { ReasonButton } from '#app/shared/web/form/reason-button.tsx'
import { Picture } from '#app/shared/web/pictures.tsx'
import { truncate } from '#app/shared/web/texts.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { type CartEntry, type CartLine, cartAtom, withOne, without } from './cart.ts'
import type { Findings } from './use-fresh-cart.ts'

/** The page of a product with the variant that was chosen there. */
const pathOf = ({ variant, ...product }: CartEntry) =>
  productPath(product) + (isId(variant) ? `?variant=${variant}` : '')

/** One product of the cart with its quantity (spec §2). */
export function CartRow({ line, findings }: { line: CartLine; findings: Findings }) {
  const { product, count } = line
  const money = useMoney()
  const name = useId()
  return (
    <li className="flex flex-wrap gap-4 p-4 sm:flex-nowrap sm:p-6">
      <Picture src={photoUrl(product, 320)} size={112} className="size-24 sm:size-28" />
      <div className="wrap-anywhere min-w-0 flex-1 space-y-1">
        <a
          id={name}
          href={pathOf(product)}
          dir="auto"
          className="link link-hover font-semibold text-lg"
        >
          {product.name}
        </a>
        <p dir="auto" className="text-base-content/75 text-sm">
          {truncate(product.summary ?? product.description ?? '', 50)}
        </p>
        <p>
          {money(product.price)}{' '}
          {product.compareAt && <del className="text-sm">{money(product.compareAt)}</del>}
          {count > 1 && (
            <span className="text-base-content/75"> · {money(product.price * count)} in total</span>
          )}
        </p>
        {/* rendered before its text, so that screen readers announce it */}
        <div role="status">
          <Change line={line} findings={findings} />
        </div>
      </div>
      <Amount line={line} labelledBy={name} gone={findings.gone.has(product._id)} />
    </li>
  )
}

type AmountProps = { line: CartLine; labelledBy: string; gone: boolean }

/** Buttons − and +, and Remove, which removes one piece (spec §4). */
function Amount({ line: { product, count }, labelledBy, gone }: AmountProps) {
  const scarce = count >= product.quantity ? `Only ${product.quantity} are in stock.` : null
  const takeOne = () => cartAtom.update((cart) => without(cart, [product._id]))
  const addOne = () => cartAtom.update((cart) => withOne(cart, product))
  return (
    <div className="flex w-full items-center justify-between gap-2 sm:w-auto sm:flex-col sm:items-center">
      <fieldset
        aria-labelledby={labelledBy}
        className="flex items-center rounded-field border border-base-300"
      >
        <Step
          label="One less"
          sign="−"
          take={takeOne}
          reason={count === 1 ? 'Remove takes the last one out of the cart.' : null}
        />
        <output aria-label="Quantity" className="min-w-8 text-center font-semibold">
          {count}
        </output>
        <Step
          label="One more"
          sign="+"
          take={addOne}
          reason={gone ? 'It is no longer sold.' : scarce}
        />
      </fieldset>
      <button
        type="button"
        aria-describedby={labelledBy}
        className="btn btn-ghost text-error sm:btn-sm"
        onClick={takeOne}
      >
        Remove
      </button>
    </div>
  )
}

type StepProps = { label: string; sign: string; take: () => void; reason: string | null }

const Step = ({ label, sign, take, reason }: StepProps) => (
  <ReasonButton
    reason={reason}
    aria-label={label}
    className="btn-ghost btn-square text-lg"
    onClick={take}
  >
    {sign}
  </ReasonButton>
)

/** A note about a price, stock or name that changed since the product was added. */
function Change({ line: { product, count }, findings }: { line: CartLine; findings: Findings }) {
  const money = useMoney()
  const before = findings.priceWas.get(product._id)
  if (findings.gone.has(product._id)) return <Note tone="text-error">No longer sold</Note>
  return (
    <>
      {product.quantity === 0 && <Note tone="text-error">Sold out</Note>}
      {product.quantity > 0 && count > product.quantity && (
        <Note tone="text-error">Only {product.quantity} left</Note>
      )}
      {before !== undefined && before !== product.price && (
        <Note tone="text-info">
          The price was {money(before)} and is {money(product.price)} now
        </Note>
      )}
    </>
  )
}

const Note = ({ tone, children }: { tone: string; children: React.ReactNode }) => (
  <p className={`font-semibold text-sm ${tone}`}>{children}</p>
)
