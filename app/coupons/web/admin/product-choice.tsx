import { useEffect, useId, useState } from 'react'
import type { Coupon } from '#app/coupons/admin-contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { abortable } from '#app/shared/web/browser-call.ts'
import { messageOf } from '#app/shared/web/call.ts'

type Products = Coupon['products']

/** Milliseconds without another key, after which products are searched. */
const DEBOUNCE_MS = 300
const MAX_SHOWN = 8

const FAILED = 'The products could not be searched. Please type again.'

type Search = {
  /** Null while they are loaded, or could not be. */
  found: Products | null
  /** Why they could not be. */
  failure: string | null
}

const NOT_FOUND_YET: Search = { found: null, failure: null }

/** The products whose name contains the text. */
function useProductsNamed(text: string): Search {
  const [search, setSearch] = useState(NOT_FOUND_YET)
  useEffect(() => {
    setSearch(NOT_FOUND_YET)
    if (text === '') return
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      const query = { q: text, page: 1 }
      const next = await abortable(abort.signal)(productCalls.getProducts, { query }).then(
        ({ products }): Search => ({ ...NOT_FOUND_YET, found: products.slice(0, MAX_SHOWN) }),
        (error): Search => ({ ...NOT_FOUND_YET, failure: messageOf(error, FAILED) }),
      )
      if (!abort.signal.aborted) setSearch(next)
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [text])
  return search
}

type Props = { products: Products; onChange: (products: Products) => void }

/** The products to which a coupon applies: found by name, and added one by one. */
export function ProductChoice({ products, onChange }: Props) {
  const id = useId()
  const [text, setText] = useState('')
  const { found, failure } = useProductsNamed(text.trim())
  const others = found?.filter(({ _id }) => products.every((chosen) => chosen._id !== _id))
  return (
    <fieldset className="space-y-3">
      <legend className="font-medium text-sm">Only for these products</legend>
      {products.length > 0 && (
        <ul aria-label="Chosen products" className="flex flex-wrap gap-2">
          {products.map((product) => (
            <li key={product._id}>
              <button
                type="button"
                aria-label={`Remove ${product.name}`}
                className="btn btn-sm h-auto max-w-full py-1"
                onClick={() => onChange(products.filter(({ _id }) => _id !== product._id))}
              >
                <span className="wrap-anywhere">{product.name}</span> ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <label htmlFor={id} className="block text-base-content/75 text-sm">
        Find a product by its name
      </label>
      <input
        id={id}
        type="search"
        value={text}
        autoComplete="off"
        className="input w-full bg-base-200"
        onChange={({ target }) => setText(target.value)}
        // Enter would save the coupon
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <p role="status" className="text-sm">
        {others?.length === 0 ? 'No other product has this name.' : failure}
      </p>
      {others !== undefined && others.length > 0 && (
        <ul aria-label="Found products" className="flex flex-wrap gap-2">
          {others.map(({ _id, name }) => (
            <li key={_id}>
              <button
                type="button"
                aria-label={`Add ${name}`}
                className="btn btn-sm btn-outline h-auto max-w-full py-1"
                onClick={() => onChange([...products, { _id, name }])}
              >
                <span className="wrap-anywhere">{name}</span> +
              </button>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}
