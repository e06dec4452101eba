import type { ReactNode } from 'react'
import { Form } from 'react-router'
import type { Category } from '#app/categories/contract.ts'
import type { FacetCounts } from '#app/products/facet-contract.ts'
import {
  bandKey,
  bandOfKey,
  type PriceBand,
  priceBandsFrom,
  priceTopOf,
} from '#app/products/model.ts'
import { formatMoneyBy } from '#app/shared/model/format-money.ts'
import type { MoneyFormat } from '#app/shared/model/shop-settings.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { type Choice, filtersIn, type ListPlace, toggled } from './choice.ts'

/** How many products the filters have; "+" follows the counts where there are more. */
export type Facets = {
  prices: { price: string; count: number }[]
  inStock?: number
  options?: FacetCounts
  areCut?: boolean
}

type Props = {
  place: ListPlace
  choice: Choice
  onChoose: (choice: Choice) => void
  categories: (Category & { count?: number })[]
  /** Only bands with products are shown; all of them where nothing is counted. */
  facets?: Facets | undefined
  /** The options by which the list is narrowed. */
  options?: ReactNode
  /** The button or link that clears the filters. */
  children: ReactNode
}

/** The filters of a list. Without scripts they are submitted by Apply. */
export function FilterPanel(props: Props) {
  const { place, choice, onChoose, categories, facets, options, children } = props
  const chosen = filtersIn(choice)
  const [order] = place.orders
  return (
    <Form action={place.path} aria-label="Filters" className="relative lg:sticky lg:top-24">
      {place.hasKeyword && <input type="hidden" name="q" value={choice.keyword} />}
      {choice.order !== order && <input type="hidden" name="sort" value={choice.order} />}
      <details className="filter-panel">
        <summary>Filters{chosen > 0 && ` (${chosen})`}</summary>
        <Categories choice={choice} onChoose={onChoose} categories={categories} facets={facets} />
        <Prices choice={choice} onChoose={onChoose} facets={facets} />
        {place.hasStock && (
          <Options title="Availability">
            <Option
              label="In stock only"
              count={facets?.inStock}
              type="checkbox"
              name="stock"
              value="in"
              checked={choice.inStock}
              onChange={() => onChoose({ ...choice, inStock: !choice.inStock })}
            />
          </Options>
        )}
        {options}
        <noscript>
          <button type="submit" className="btn btn-secondary btn-sm mt-4 w-full">
            Apply
          </button>
        </noscript>
      </details>
      {children}
    </Form>
  )
}

type OptionsProps = { title: string; look?: string | undefined; children: ReactNode }

const Options = ({ title, look = '', children }: OptionsProps) => (
  <fieldset>
    <legend className="filter-title">{title}</legend>
    <div className={`filter-options ${look}`}>{children}</div>
  </fieldset>
)

type CheckboxesProps = Pick<Props, 'facets'> & {
  title: string
  name: string
  values: { value: string; label: string; count?: number | undefined }[]
  chosen: string[]
  onChange: (chosen: string[]) => void
}

/** Any of several values. Those with counts may be many: they scroll. */
export const Checkboxes = ({ title, name, values, chosen, onChange, facets }: CheckboxesProps) => (
  <Options title={title} look={facets && 'lg:max-h-80 lg:flex-nowrap lg:overflow-y-auto'}>
    {values.map(({ value, label, count }) => (
      <Option
        key={value}
        label={label}
        count={count}
        isCut={facets?.areCut}
        type="checkbox"
        name={name}
        value={value}
        checked={chosen.includes(value)}
        onChange={() => onChange(toggled(chosen, value))}
      />
    ))}
  </Options>
)

export type PartProps = Pick<Props, 'choice' | 'onChoose' | 'facets'>

const Categories = ({
  choice,
  onChoose,
  categories,
  facets,
}: PartProps & Pick<Props, 'categories'>) =>
  categories.length > 0 && (
    <Checkboxes
      title={facets ? 'Category' : 'Filter By Category'}
      name="category"
      values={categories.map(({ _id, name, count }) => ({ value: _id, label: name, count }))}
      chosen={choice.categories}
      onChange={(chosen) => onChoose({ ...choice, categories: chosen })}
      facets={facets}
    />
  )

/** Labels of bands in whole units of the currency, such as `$20 to 39` (spec §3). */
function labelsFor(format: MoneyFormat, top: number) {
  const whole = { ...format, digits: 0 }
  // a currency before the number is not repeated
  const upTo = format.affixes[0] ? { ...whole, affixes: ['', ''] } : whole
  return ([low, high]: PriceBand) =>
    high >= top
      ? `${formatMoneyBy(whole, low)} or more`
      : `${formatMoneyBy(whole, low)} to ${formatMoneyBy(upTo, high)}`
}

/** The price bands of the settings; `chosen` is added when it is not one of them. */
function usePriceBands(chosen: string | null) {
  const { currencyDisplay, moneyFormats, priceBands } = useShop()
  const format = moneyFormats[currencyDisplay]
  if (!format) return []
  const bands = priceBandsFrom(priceBands)
  const other = bands.some((band) => bandKey(band) === chosen) ? null : bandOfKey(chosen)
  const label = labelsFor(format, priceTopOf(priceBands))
  return [...bands, ...(other ? [other] : [])].map((band) => ({
    label: label(band),
    key: bandKey(band),
  }))
}

function Prices({ choice, onChoose, facets }: PartProps) {
  const counts = facets && new Map(facets.prices.map(({ price, count }) => [price, count]))
  const bands = usePriceBands(choice.price).filter(
    ({ key }) => !counts || counts.has(key) || key === choice.price,
  )
  if (bands.length === 0) return null
  const radio = (price: string | null) => ({
    type: 'radio' as const,
    name: 'price',
    value: price ?? '',
    checked: choice.price === price,
    onChange: () => onChoose({ ...choice, price }),
  })
  return (
    <Options title={facets ? 'Price' : 'Filter By Price'}>
      {facets && <Option label="Any price" {...radio(null)} />}
      {bands.map(({ label, key }) => (
        <Option
          key={key}
          label={label}
          count={counts && (counts.get(key) ?? 0)}
          isCut={facets?.areCut}
          {...radio(key)}
        />
      ))}
    </Options>
  )
}

type OptionProps = {
  label: string
  count?: number | undefined
  /** Whether there are more than the count. */
  isCut?: boolean | undefined
  type: 'checkbox' | 'radio'
  name: string
  value: string
  checked: boolean
  onChange: () => void
}

const LOOK = {
  checkbox: 'checkbox checkbox-primary checkbox-sm',
  radio: 'radio radio-primary radio-sm',
}

/** A checkbox or radio button with its name and its count. */
const Option = ({ label, count, isCut, ...input }: OptionProps) => (
  <label className="filter-option">
    <input {...input} className={LOOK[input.type]} />
    <span>{label}</span>{' '}
    {count !== undefined && (
      <span className="ms-auto text-base-content/75 text-sm tabular-nums">
        {`${count}${isCut ? '+' : ''}`}
      </span>
    )}
  </label>
)
