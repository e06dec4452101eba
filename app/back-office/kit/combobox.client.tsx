// The server, which renders no form of the back office, does not load it.
import { Combobox as Base } from '@base-ui/react/combobox'
import { use, useState } from 'react'
import type { Call } from '#app/shared/web/call.ts'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { FormProblems } from '#app/shared/web/form/problem.ts'
import { Icon } from '#app/shared/web/pictures.tsx'
import { useStore } from '#app/shared/web/storage.ts'
import { openDialogsAtom } from '#app/shared/web/toast.tsx'
import { useBeginning } from './fields.tsx'
import { useNoteChange } from './form-page.tsx'
import { useAnswer } from './loaded.tsx'

export type Choice = {
  value: string
  label: string
  /** Beside the label, such as a price. */
  note?: string | undefined
  /** Of a group: what is chosen instead of it. */
  members?: Choice[] | undefined
}

type Source =
  | { choices: readonly Choice[]; search?: undefined }
  /** Where there are many: those that a text finds. */
  | { search: (text: string, call: Call) => Promise<Choice[]>; choices?: undefined }

type ListProps = { status: string | null; isSearch: boolean }

/** In the open dialog, which would cover it otherwise. */
const List = ({ status, isSearch }: ListProps) => (
  <Base.Portal container={useStore(openDialogsAtom).at(-1)}>
    <Base.Positioner sideOffset={4} className="z-60">
      <Base.Popup className="surface w-(--anchor-width) overflow-hidden shadow-xl">
        {isSearch && (
          <Base.Status className="p-3 text-base-content/75 text-sm empty:p-0">{status}</Base.Status>
        )}
        {!isSearch && (
          <Base.Empty>
            <p className="p-3 text-base-content/75 text-sm">There is no such choice.</p>
          </Base.Empty>
        )}
        <Base.List className="max-h-[min(22rem,var(--available-height))] scroll-py-2 overflow-y-auto overscroll-contain p-1 data-empty:p-0">
          {(choice: Choice) => (
            <Base.Item
              key={choice.value}
              value={choice}
              className="menu-entry justify-between text-sm data-highlighted:bg-neutral data-selected:font-semibold"
            >
              <span className="wrap-anywhere">{choice.label}</span>
              {choice.note && <span className="text-base-content/75">{choice.note}</span>}
            </Base.Item>
          )}
        </Base.List>
      </Base.Popup>
    </Base.Positioner>
  </Base.Portal>
)

type Props = Source & {
  label: string
  /** The field of the form, whose value is that of the choice. */
  name: string
  hint?: string
  placeholder?: string
  /** The choice at first. */
  chosen?: Choice | null
  onChoose?: (choice: Choice | null) => void
  /** Empty again after a choice, for choosing several. */
  clears?: boolean
  /** The field of a refusal, where it is not the name. */
  refusedAs?: string
}

/** A select that is searched by typing. */
export function Combobox(props: Props) {
  const { label, name, hint, placeholder, chosen = null, onChoose, clears, search } = props
  const { refusedAs = name } = props
  const { mend } = use(FormProblems)
  const noteChange = useNoteChange()
  const [value, setValue] = useState(chosen)
  const [text, setText] = useState(chosen?.label ?? '')
  const sought = text === value?.label ? '' : text.trim()
  const { answer, failure, isLoading } = useAnswer(
    search && sought !== '' ? sought : null,
    async (call) => search?.(sought, call) ?? [],
    'The search failed.',
  )
  const notFound = answer?.length === 0 ? 'Nothing found.' : null
  const choose = (next: Choice | null) => {
    mend(refusedAs)
    setValue(clears ? null : next)
    if (clears) setText('')
    onChoose?.(next)
    noteChange()
  }
  return (
    <Base.Root
      items={search ? (answer ?? []) : props.choices}
      {...(search && { filter: null })}
      name={name}
      value={value}
      onValueChange={choose}
      inputValue={text}
      onInputValueChange={(next, { reason }) => {
        if (!(clears && reason === 'item-press')) setText(next)
      }}
      itemToStringLabel={(choice) => choice.label}
      itemToStringValue={(choice) => choice.value}
      isItemEqualToValue={(one, other) => one.value === other.value}
      autoHighlight
    >
      <Labelled label={label} name={refusedAs} hint={hint}>
        {(id, problem) => (
          <Base.InputGroup className="relative">
            <Base.Input
              id={id}
              placeholder={placeholder}
              className="input w-full pe-10 placeholder:text-base-content/75 aria-invalid:border-error"
              {...problem}
            />
            {!search && (
              <Base.Trigger
                aria-label={`Show all: ${label}`}
                className="absolute inset-y-0 right-0 grid w-10 cursor-pointer place-items-center"
              >
                <Icon name="down" className="size-4" />
              </Base.Trigger>
            )}
          </Base.InputGroup>
        )}
      </Labelled>
      <List
        status={isLoading ? 'Searching …' : (failure ?? notFound)}
        isSearch={search !== undefined}
      />
    </Base.Root>
  )
}

type SeveralProps = Source &
  Pick<Props, 'label' | 'name' | 'hint' | 'placeholder'> & {
    /** By default the values of the form by this name. */
    chosen?: Choice[]
  }

/** The choices of these values; one that is gone stays until it is removed. */
const choicesOf = (values: unknown, choices: readonly Choice[] = []) =>
  (Array.isArray(values) ? values : []).map(
    (value: string) => choices.find((one) => one.value === value) ?? { value, label: 'Deleted' },
  )

/** Several choices, each a chip with a button that takes it away. The form has an empty value, too. */
export function ComboboxOfSeveral({ chosen, ...field }: SeveralProps) {
  const beginning = useBeginning(field.name)
  const [values, setValues] = useState(chosen ?? choicesOf(beginning, field.choices))
  const noteChange = useNoteChange()
  const change = (next: Choice[]) => {
    setValues(next)
    noteChange()
  }
  const { label, name } = field
  const add = (choices: Choice[]) => {
    const others = choices.filter((choice) => values.every(({ value }) => value !== choice.value))
    if (others.length > 0) change([...values, ...others])
  }
  return (
    <div className="space-y-2">
      <input type="hidden" name={name} value="" />
      <Combobox
        {...field}
        name={`${name}-search`}
        refusedAs={name}
        clears
        onChoose={(choice) => choice && add(choice.members ?? [choice])}
      />
      {values.length > 0 && (
        <ul aria-label={`${label}: chosen`} className="flex flex-wrap gap-1.5">
          {values.map((choice) => (
            <li key={choice.value}>
              <input type="hidden" name={name} value={choice.value} />
              <button
                type="button"
                aria-label={`Remove ${choice.label}`}
                onClick={() => change(values.filter(({ value }) => value !== choice.value))}
                className="btn btn-sm h-auto max-w-full py-1"
              >
                <span className="wrap-anywhere">{choice.label}</span> ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
