import ChevronLeft from 'lucide-react/icons/chevron-left'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useState } from 'react'

type Chip = {
  _id: string
  name: string
  /** Shown as a dot, such as #b3261e. */
  swatch: string | null
  /** The reason why the name is refused. */
  problem?: string | undefined
}

type Props = {
  /** The name of the list, such as `Colour`. */
  label: string
  chips: readonly Chip[]
  /** Each has a colour, which can be chosen. */
  hasSwatches: boolean
  maxLength: number
  /** Of the last field in its form, which sends what was not added; without it, leaving the field adds it. */
  name?: string
  /** Called with what was typed or pasted, which may be several names. */
  onAdd: (text: string) => void
  onChange: (id: string, change: Partial<Pick<Chip, 'name' | 'swatch'>>) => void
  onMove: (id: string) => void
  onRemove: (id: string) => void
}

/** Short names in an order, each edited in its place; Enter or a comma in the last field adds one. */
export function Chips(props: Props) {
  const { label, chips, hasSwatches, maxLength, name, onAdd, onChange, onMove, onRemove } = props
  const [text, setText] = useState('')
  const add = () => {
    if (text.trim() !== '') onAdd(text)
    setText('')
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ',') return
    event.preventDefault()
    add()
  }
  return (
    <ul aria-label={`Values of ${label}`} className="flex flex-wrap items-center gap-2">
      {chips.map(({ _id, name, swatch, problem }, at) => (
        <li key={_id} className="chip">
          {at > 0 && (
            <button type="button" aria-label={`Move ${name} before`} onClick={() => onMove(_id)}>
              <ChevronLeft aria-hidden="true" className="size-4" />
            </button>
          )}
          {hasSwatches && (
            <input
              type="color"
              aria-label={`Colour of ${name}`}
              value={swatch ?? '#cccccc'}
              onChange={({ target }) => onChange(_id, { swatch: target.value })}
              className="size-5 cursor-pointer rounded-full"
            />
          )}
          <input
            aria-label={`Value ${name}`}
            aria-invalid={problem !== undefined || undefined}
            aria-description={problem}
            title={problem}
            value={name}
            maxLength={maxLength}
            size={Math.max(2, name.length)}
            autoComplete="off"
            onChange={({ target }) => onChange(_id, { name: target.value })}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
          <button type="button" aria-label={`Remove ${name}`} onClick={() => onRemove(_id)}>
            <X aria-hidden="true" className="size-4" />
          </button>
        </li>
      ))}
      <li>
        <input
          aria-label={`Add values of ${label}`}
          placeholder="Add values"
          value={text}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
          onKeyDown={press}
          name={name}
          onBlur={name === undefined ? add : undefined}
          className="input w-32"
        />
      </li>
    </ul>
  )
}
