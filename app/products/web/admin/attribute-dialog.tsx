import { useState } from 'react'
import { Checkbox, Field, HiddenValue, Select } from '#app/back-office/kit/fields.tsx'
import { FormDialog } from '#app/back-office/kit/form-dialog.tsx'
import { Chips } from '#app/back-office/kit/grid/chips.tsx'
import {
  type Attribute,
  type AttributeKind,
  attributeCalls,
  MAX_CHOICES,
} from '#app/products/attribute-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { namesIn } from './variants/option-edits.ts'

/** The kinds of attributes in words. */
export const KINDS: Record<AttributeKind, string> = {
  choice: 'Choice',
  number: 'Number',
  yes_no: 'Yes or no',
  text: 'Text',
}

type Choice = Attribute['choices'][number]

/** The choices, and new ones of the names in a text that they do not have. */
function withNames(choices: Choice[], text: string): Choice[] {
  const present = new Set(choices.map(({ name }) => name.trim().toLowerCase()))
  const added = namesIn(text)
    .filter((name) => !present.has(name.toLowerCase()))
    .map((name) => ({ _id: crypto.randomUUID(), name }))
  return [...choices, ...added].slice(0, MAX_CHOICES)
}

/** Creates an attribute, or edits one; its kind stays. */
export function AttributeDialog({ one }: { one?: Attribute }) {
  const [kind, setKind] = useState<AttributeKind>(one?.kind ?? 'choice')
  const [choices, setChoices] = useState(one?.choices ?? [])
  const stored = new Set(one?.choices.map(({ _id }) => _id))
  return (
    <FormDialog
      title={one ? `Edit ${one.name}` : 'New attribute'}
      action="Save attribute"
      failed="The attribute could not be saved."
      {...(one && { values: one })}
      save={(field) => {
        const body = {
          kind,
          name: field('name'),
          unit: field('unit') || null,
          isFilterable: field('isFilterable') === 'on',
          choices: withNames(choices, field('added')).map(({ _id, name }) =>
            stored.has(_id) ? { _id, name } : { name },
          ),
        }
        return one
          ? call(attributeCalls.updateAttribute, {
              params: { id: one._id },
              body: { ...body, updatedAt: one.updatedAt },
            })
          : call(attributeCalls.createAttribute, { body })
      }}
    >
      <Field label="Name" name="name" placeholder="Such as Material" maxLength={50} required />
      {!one && (
        <Select
          label="Kind"
          name="kind"
          hint="It cannot be changed later."
          options={KINDS}
          onChange={({ target }) => {
            setKind(target.value as AttributeKind)
            setChoices([])
          }}
        />
      )}
      {kind === 'number' && (
        <Field label="Unit" name="unit" placeholder="Such as kg" maxLength={20} />
      )}
      {kind === 'choice' && <Choices one={one} choices={choices} onEdit={setChoices} />}
      <Checkbox
        key={kind}
        label="Offer as a filter in the shop"
        name="isFilterable"
        // of texts, each product has its own
        {...(!one && { defaultChecked: kind !== 'text' })}
      />
    </FormDialog>
  )
}

type ChoicesProps = {
  one: Attribute | undefined
  choices: Choice[]
  onEdit: (choices: Choice[]) => void
}

/** The choices in their order. Products lose one that is removed. */
function Choices({ one, choices, onEdit }: ChoicesProps) {
  const kept = new Set(choices.map(({ _id }) => _id))
  const removed = one?.choices.filter(({ _id }) => !kept.has(_id)).map(({ name }) => name) ?? []
  const move = (id: string) => {
    const at = choices.findIndex(({ _id }) => _id === id)
    const moved = choices.slice(at, at + 1)
    if (at > 0) onEdit(choices.toSpliced(at, 1).toSpliced(at - 1, 0, ...moved))
  }
  return (
    <fieldset className="space-y-1.5">
      <legend className="font-medium text-sm">Values</legend>
      <Chips
        label="the attribute"
        chips={choices.map((choice) => ({ ...choice, swatch: null }))}
        hasSwatches={false}
        maxLength={100}
        name="added"
        onAdd={(text) => onEdit(withNames(choices, text))}
        onChange={(id, { name }) =>
          onEdit(
            choices.map((choice) =>
              choice._id === id && name !== undefined ? { ...choice, name } : choice,
            ),
          )
        }
        onMove={move}
        onRemove={(id) => onEdit(choices.filter(({ _id }) => _id !== id))}
      />
      <p className="text-base-content/75 text-sm">
        Separated by commas, in the order in which customers see them.
      </p>
      {one && one.products > 0 && removed.length > 0 && (
        <p role="status" className="wrap-anywhere text-sm">
          Products that have {new Intl.ListFormat('en').format(removed)} lose this value when you
          save.
        </p>
      )}
      <HiddenValue name="choices" value={JSON.stringify(choices)} />
    </fieldset>
  )
}
