import { useEffect, useRef } from 'react'
import { Form } from 'react-router'
import type { SoldVariant } from '#app/products/sold-variant-contract.ts'
import type { DetailedProduct } from '../contract.ts'
import { valuesOf, variantWith } from './variant-choice.ts'

type Props = {
  product: DetailedProduct
  chosen: SoldVariant
  onChoose: (variant: SoldVariant) => void
}

/** The choice of a variant: a group of radio buttons for each option. */
export const OptionGroups = (props: Props) =>
  props.product.options?.map(({ name }, option) => (
    <OptionGroup key={name} {...props} option={option} />
  ))

/**
 * The values of an option. Each stands for the variant to which it leads, so that without scripts the form leads
 * there, too. A sold-out one can be chosen, and says why it is crossed out.
 */
function OptionGroup({ product, chosen, onChoose, option }: Props & { option: number }) {
  const { options = [], variants = [] } = product
  const { name = '', values = [] } = options[option] ?? {}
  const form = useRef<HTMLFormElement>(null)
  // chosen before this script was there: the browser shows that already
  useEffect(() => {
    const early = form.current && new FormData(form.current).get('variant')
    const variant = variants.find(({ _id }) => _id === early)
    if (variant && variant.values[option] !== chosen.values[option]) onChoose(variant)
  }, [variants, chosen, option, onChoose])
  return (
    <Form replace preventScrollReset ref={form} className="w-full">
      <fieldset className="min-w-0">
        <legend className="mb-2 font-semibold">{name}</legend>
        <div className="option-values">
          {values.map((value, at) => {
            const variant = variantWith(variants, chosen, { option, value: at })
            if (!variant) return null
            return (
              <Value
                key={value.name}
                {...value}
                variant={variant}
                isChosen={chosen.values[option] === at}
                why={whyNot(product, chosen, { variant, option })}
                onChoose={onChoose}
              />
            )
          })}
        </div>
        <noscript>
          <button type="submit" className="btn btn-sm mt-2">
            Choose
          </button>
        </noscript>
      </fieldset>
    </Form>
  )
}

type Led = { variant: SoldVariant; option: number }

/** Why a value cannot be bought with the other chosen values. */
function whyNot(product: DetailedProduct, chosen: SoldVariant, { variant, option }: Led) {
  const others = valuesOf(product, chosen).filter(
    (_, at) => at !== option && variant.values[at] !== chosen.values[at],
  )
  if (others.length > 0) return `not in ${others.map(({ value }) => value).join(' / ')}`
  return variant.quantity === 0 ? 'sold out' : null
}

type ValueProps = Pick<Props, 'onChoose'> & {
  name: string
  swatch?: string
  variant: SoldVariant
  isChosen: boolean
  why: string | null
}

function Value({ name, swatch, variant, isChosen, why, onChoose }: ValueProps) {
  return (
    <label className="option-value" data-out={why !== null || undefined}>
      <input
        type="radio"
        name="variant"
        value={variant._id}
        checked={isChosen}
        onChange={() => onChoose(variant)}
        autoComplete="off"
      />
      {swatch && <span className="swatch" style={{ background: swatch }} />}
      <span className="option-name">{name}</span>
      {why && <small> {why}</small>}
    </label>
  )
}
