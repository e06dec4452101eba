import type { FacetCounts } from '#app/products/facet-contract.ts'
import { type Choice, choicePath, type ListPlace, toggled } from './choice.ts'
import { Option, Options, type PartProps } from './filter-panel.tsx'
import { ChoiceLink } from './filtered-link.tsx'

/** The values of each option that some of the products have. */
export function OptionFacets({ choice, onChoose, facets }: PartProps) {
  const groups = Map.groupBy(facets?.options ?? [], ({ key }) => key.split(':')[0])
  const toggle = (key: string) => onChoose({ ...choice, facets: toggled(choice.facets, key) })
  return [...groups].map(([group, values]) => (
    <Options
      key={group}
      title={values[0]?.name ?? ''}
      look="lg:max-h-80 lg:flex-nowrap lg:overflow-y-auto"
    >
      {values.map(({ key, value, count }) => (
        <Option
          key={key}
          label={value}
          count={count}
          isCut={facets?.areCut}
          type="checkbox"
          name="f"
          value={key}
          checked={choice.facets.includes(key)}
          onChange={() => toggle(key)}
        />
      ))}
    </Options>
  ))
}

type ChipsProps = { choice: Choice; place: ListPlace; options: FacetCounts }

/** The chosen facets, each a link to the list without it. */
export const Chips = ({ choice, place, options }: ChipsProps) =>
  choice.facets.length > 0 && (
    <ul aria-label="Chosen" className="mb-4 flex flex-wrap gap-2">
      {choice.facets.map((key) => {
        const facet = options.find((one) => one.key === key)
        return (
          <li key={key}>
            <ChoiceLink
              to={choicePath({ ...choice, facets: toggled(choice.facets, key) }, place)}
              className="rounded-full border-base-300 bg-base-100 font-medium"
            >
              <span className="sr-only">Remove </span>
              {facet ? `${facet.name}: ${facet.value}` : key.replace(':', ': ')}
              <span aria-hidden="true">×</span>
            </ChoiceLink>
          </li>
        )
      })}
    </ul>
  )
