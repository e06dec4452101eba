import { Combobox } from '@base-ui/react/combobox'
import { use } from 'react'
import type { Category } from '#app/categories/contract.ts'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { FormProblems } from '#app/shared/web/form/problem.ts'
import { Icon } from '#app/shared/web/pictures.tsx'

type Props = { categories: Category[]; chosen?: Category }

/** A searchable select of one category. The server, which renders no form of the back office, does not load it. */
export function CategorySelect({ categories, chosen }: Props) {
  const { mend } = use(FormProblems)
  return (
    <Combobox.Root
      items={categories}
      name="category"
      defaultValue={chosen ?? null}
      itemToStringLabel={({ name }) => name}
      itemToStringValue={({ _id }) => _id}
      isItemEqualToValue={(one, other) => one._id === other._id}
      onValueChange={() => mend('category')}
      autoHighlight
    >
      <Labelled label="Category" name="category">
        {(id, problem) => (
          <Combobox.InputGroup className="relative">
            <Combobox.Input
              id={id}
              placeholder="Select a category"
              className="input w-full bg-base-200 pe-10 placeholder:text-base-content/75 aria-invalid:border-error"
              {...problem}
            />
            <Combobox.Trigger
              aria-label="Show the categories"
              className="absolute inset-y-0 right-0 grid w-10 cursor-pointer place-items-center"
            >
              <Icon name="down" className="size-4" />
            </Combobox.Trigger>
          </Combobox.InputGroup>
        )}
      </Labelled>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} className="z-40">
          <Combobox.Popup className="surface w-(--anchor-width) overflow-hidden shadow-xl">
            <Combobox.Empty>
              <p className="p-3 text-base-content/75">No such category</p>
            </Combobox.Empty>
            <Combobox.List className="max-h-[min(22rem,var(--available-height))] scroll-py-2 overflow-y-auto overscroll-contain p-2 data-empty:p-0">
              {(category: Category) => (
                <Combobox.Item
                  key={category._id}
                  value={category}
                  className="entry wrap-anywhere data-highlighted:bg-base-200 data-selected:font-semibold data-selected:text-primary"
                >
                  {category.name}
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}
