import { use, useState } from 'react'
import { Checkbox, Field } from '#app/back-office/kit/fields.tsx'
import { Chips } from '#app/back-office/kit/grid/chips.tsx'
import { Card } from '#app/back-office/kit/page.tsx'
import { MAX_OPTIONS, MAX_VALUES, type ProductOption } from '#app/products/variant-contract.ts'
import { FormProblems } from '#app/shared/web/form/problem.ts'
import { ReasonButton } from '#app/shared/web/form/reason-button.tsx'
import { NEW_OPTION } from '../product-form.ts'
import type { Draft } from './draft.ts'
import {
  addOption,
  addValues,
  changeOption,
  moveEarlier,
  namesIn,
  removeOption,
  removeValue,
} from './option-edits.ts'

export type EditProps = {
  draft: Draft
  onEdit: (draft: Draft) => void
  /** Asks first where variants are lost by it. */
  onLoss: (what: string, draft: Draft) => void
}

const GREY = '#cccccc'

/** The values of an option, each with the problem of a name that another one has. */
function chipsOf({ name: option, values }: ProductOption) {
  const alike = Map.groupBy(values, ({ name }) => name.trim().toLowerCase())
  return [...values].map((value) => ({
    ...value,
    ...((alike.get(value.name.trim().toLowerCase())?.length ?? 0) > 1 && {
      problem: `Two values of ${option} have this name.`,
    }),
  }))
}

type Props = EditProps & {
  /** Adds an option; with the first one the fields of the product become those of its variants. */
  onAdd: (add: (draft: Draft) => Draft) => void
}

/** The options of a product with their values. */
export function OptionsCard({ draft, onEdit, onAdd, onLoss }: Props) {
  return (
    <Card title="Options">
      {draft.options.length === 0 && (
        <p>
          What the variants of this product differ in, such as colour and size. Without options it
          is sold as it is.
        </p>
      )}
      {draft.options.map((option) => (
        <OptionFields
          key={option.slot}
          option={option}
          draft={draft}
          onEdit={onEdit}
          onLoss={onLoss}
        />
      ))}
      {draft.options.length < MAX_OPTIONS && (
        <NewOption
          key={draft.options.length}
          onAdd={(name, values) => onAdd((present) => addOption(present, name, values))}
        />
      )}
    </Card>
  )
}

function OptionFields({ option, draft, onEdit, onLoss }: EditProps & { option: ProductOption }) {
  const { slot, name, values } = option
  const change = (changed: Partial<ProductOption>) =>
    onEdit(changeOption(draft, slot, (one) => ({ ...one, ...changed })))
  const hasSwatches = values.some(({ swatch }) => swatch !== null)
  return (
    <fieldset className="space-y-3 rounded-field border border-base-300 p-3">
      <legend className="sr-only">{name}</legend>
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-56">
          <Field
            label="Name of the option"
            value={name}
            maxLength={50}
            onChange={({ target }) => change({ name: target.value })}
          />
        </div>
        <Checkbox
          label={`Show colours of ${name}`}
          checked={hasSwatches}
          onChange={({ target }) =>
            change({
              values: values.map((one) => ({ ...one, swatch: target.checked ? GREY : null })),
            })
          }
        />
        <button
          type="button"
          className="btn btn-sm ms-auto"
          onClick={() => onLoss(`the option ${name}`, removeOption(draft, slot))}
        >
          Remove {name}
        </button>
      </div>
      <Chips
        label={name}
        chips={chipsOf(option)}
        hasSwatches={hasSwatches}
        maxLength={50}
        onAdd={(text) =>
          onEdit(addValues(draft, slot, namesIn(text).slice(0, MAX_VALUES - values.length)))
        }
        onChange={(id, changed) =>
          change({ values: values.map((one) => (one._id === id ? { ...one, ...changed } : one)) })
        }
        onMove={(id) => onEdit(moveEarlier(draft, slot, id))}
        onRemove={(id) => {
          const value = values.find(({ _id }) => _id === id)?.name
          const isLast = values.length === 1
          onLoss(
            isLast ? `the option ${name}` : `the value ${value}`,
            isLast ? removeOption(draft, slot) : removeValue(draft, slot, id),
          )
        }}
      />
    </fieldset>
  )
}

/** The name and the first values of another option. */
function NewOption({ onAdd }: { onAdd: (name: string, values: string[]) => void }) {
  const [name, setName] = useState('')
  const [values, setValues] = useState('')
  const names = namesIn(values).slice(0, MAX_VALUES)
  const { mend } = use(FormProblems)
  const add = () => {
    if (name.trim() === '' || names.length === 0) return
    // a refusal of what was not added yet
    for (const field of Object.values(NEW_OPTION)) mend(field)
    onAdd(name.trim(), names)
  }
  const onKeyDown = (event: { key: string; preventDefault: () => void }) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  }
  return (
    <div className="grid items-start gap-3 sm:grid-cols-[14rem_1fr_auto]">
      <Field
        label="New option"
        name={NEW_OPTION.name}
        placeholder="Such as Size"
        value={name}
        maxLength={50}
        onChange={({ target }) => setName(target.value)}
        onKeyDown={onKeyDown}
      />
      <Field
        label="Values, separated by commas"
        name={NEW_OPTION.values}
        placeholder="S, M, L"
        value={values}
        onChange={({ target }) => setValues(target.value)}
        onKeyDown={onKeyDown}
      />
      <ReasonButton
        // beside the fields, below the height of their labels
        className="sm:mt-6.5"
        reason={
          name.trim() === '' || names.length === 0
            ? 'Enter a name and at least one value first.'
            : null
        }
        onClick={add}
      >
        Add the option
      </ReasonButton>
    </div>
  )
}
