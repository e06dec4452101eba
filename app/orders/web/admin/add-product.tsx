import { useState } from 'react'
import { type Choice, Combobox } from '#app/back-office/kit/combobox.client.tsx'
import { catalogueCalls } from '#app/products/catalogue-contract.ts'
import { variantCalls } from '#app/products/variant-contract.ts'
import { nameOfVariant } from '#app/products/variant-model.ts'
import { call as browserCall } from '#app/shared/web/browser-call.ts'
import { type Call, messageOf } from '#app/shared/web/call.ts'
import { log } from '#app/shared/web/failure.tsx'
import { useMoney } from '#app/shared/web/use-money.ts'

/** The products that are found at most. */
const MAX_FOUND = 20

/** The variants of a product with options, with what they are found by; empty for one without. */
async function variantsOf(id: string, call: Call) {
  const { product, options, variants } = await call(variantCalls.getVariants, { params: { id } })
  if (options.length === 0) return []
  return variants.map(({ values, ...variant }) => {
    const chosen = options.map((option) => ({
      value: option.values.find(({ _id }) => _id === values[option.slot - 1])?.name ?? '',
    }))
    return {
      ...variant,
      values: chosen.map(({ value }) => value).join(' / '),
      name: nameOfVariant({ name: product.name, options: chosen }),
    }
  })
}

type Sold = { _id: string; name: string }
type Offered = Sold & { price: number; quantity: number }
type Variants = Awaited<ReturnType<typeof variantsOf>>

type Props = { onAdd: (sold: Sold) => void }

/** Finds a product by name, SKU or barcode, and then one of its variants where it has options. */
export function AddProduct({ onAdd }: Props) {
  const money = useMoney()
  const [product, setProduct] = useState<(Sold & { variants: Variants }) | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  // by id: found by its own code, a variant is added at once
  const [byCode, setByCode] = useState<Variants>([])
  const choiceOf = (one: Offered, label = one.name): Choice => ({
    value: one._id,
    label,
    note: `${money(one.price)} · ${one.quantity > 0 ? `${one.quantity} in stock` : 'Sold out'}`,
  })
  const search = async (q: string, call: Call): Promise<Choice[]> => {
    const found = await call(catalogueCalls.listCatalogue, { query: { q } })
    const [first, ...others] = found
    const variants = first && others.length === 0 ? await variantsOf(first._id, call) : []
    const same = variants.filter(
      ({ sku, barcode }) => barcode === q || sku?.toLowerCase() === q.toLowerCase(),
    )
    setByCode(same)
    return [...same, ...found.slice(0, MAX_FOUND)].map((one) => choiceOf(one))
  }
  const choose = async ({ value: _id, label: name }: Choice) => {
    setProduct(null)
    setFailure(null)
    if (byCode.some((one) => one._id === _id)) return onAdd({ _id, name })
    const variants = await variantsOf(_id, browserCall)
    if (variants.length === 0) onAdd({ _id, name })
    else setProduct({ _id, name, variants })
  }
  const chooseVariant = (id: string) => {
    const variant = product?.variants.find(({ _id }) => _id === id)
    if (variant) onAdd(variant)
    setProduct(null)
  }
  return (
    <>
      <Combobox
        label="Add a product"
        name="product"
        placeholder="Part of the name, SKU or barcode"
        search={search}
        clears
        onChoose={(one) =>
          one &&
          choose(one).catch((error) => {
            log(error)
            setFailure(messageOf(error, 'The product could not be loaded.'))
          })
        }
      />
      {failure && <p role="alert">{failure}</p>}
      {product && (
        <Combobox
          key={product._id}
          label={`Variant of ${product.name}`}
          name="variant"
          placeholder="Choose a variant"
          choices={product.variants.map((one) => choiceOf(one, one.values))}
          onChoose={(one) => one && chooseVariant(one.value)}
        />
      )}
    </>
  )
}
