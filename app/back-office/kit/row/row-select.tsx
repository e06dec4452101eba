import { type FocusEvent, type KeyboardEvent, type SyntheticEvent, useRef, useState } from 'react'
import { announce } from '#app/shared/web/toast.tsx'
import type { Option } from '../list-query.ts'

type Props = {
  /** Its name for screen readers: its label is not shown. */
  label: string
  /** The stored value, or the one that is being saved. */
  value: string
  /** The choices, with the names of their groups. */
  groups: { label: string; options: readonly Option[] }[]
  /** While the choice is saved: it keeps the keyboard's focus. */
  busy: boolean
  /** Sends a choice. */
  onChoose: (value: string) => void
}

const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 }

/** The keys by which browsers change the value of a closed list; a blank opens it. */
const CHANGING_KEYS = /^(\S|Home|End|Page(Up|Down)|Arrow(Left|Right))$/u

const isOption = (target: EventTarget): target is HTMLOptionElement =>
  target instanceof HTMLOptionElement

/**
 * A select in a row. A choice by pointer, or by Enter in the opened list, is sent at once. Keys on the closed list
 * only change what is shown: Enter or the button beside it sends that, Escape or leaving brings back what is stored
 * (WCAG 3.2.2, 3.3.4).
 */
export function RowSelect({ label, value, groups, busy, onChoose }: Props) {
  // what keys chose on the closed list
  const [pending, setPending] = useState<string | null>(null)
  const isTyping = useRef(false)
  const parts = useRef<HTMLSpanElement>(null)
  const select = useRef<HTMLSelectElement>(null)
  const shown = groups.filter(({ options }) => options.length > 0)
  const options = shown.flatMap((group) => group.options)
  const labelOf = (of: string) => options.find((option) => option.value === of)?.label ?? of
  const show = (next: string) => setPending(next === value ? null : next)
  const send = (next: string) => {
    // from the button, or from an option of the list, which goes
    select.current?.focus()
    setPending(null)
    if (next !== value) onChoose(next)
  }
  const restore = () => {
    if (pending === null) return
    setPending(null)
    announce(`${label}: still ${labelOf(value)}.`)
  }
  const leave = ({ relatedTarget }: FocusEvent) =>
    parts.current?.contains(relatedTarget) || restore()
  // no change is reported of the choice that is shown already
  const sendShown = ({ target }: SyntheticEvent) => {
    if (isOption(target) && target.value === pending) send(pending)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLSelectElement>) => {
    const { key, altKey, ctrlKey, metaKey, target } = event
    const isClosed = !isOption(target)
    isTyping.current = isClosed && CHANGING_KEYS.test(key)
    if (busy || altKey || ctrlKey || metaKey) return
    const step = STEPS[key]
    if (key === 'Escape') restore()
    else if (key === 'Enter' && !isClosed) sendShown(event)
    else if (key === 'Enter' && pending !== null) {
      // the list stays closed
      event.preventDefault()
      send(pending)
    } else if (isClosed && step) {
      // without opening the list, as on macOS
      event.preventDefault()
      const at = options.findIndex((option) => option.value === (pending ?? value))
      const next = options[at + step]
      if (next) show(next.value)
    }
  }
  return (
    <span ref={parts} className="row-select">
      <select
        ref={select}
        aria-label={label}
        aria-description={pending === null ? undefined : 'Not set yet: Enter sets it.'}
        aria-busy={busy}
        aria-disabled={busy}
        value={pending ?? value}
        onBlur={leave}
        onKeyDown={onKeyDown}
        onKeyUp={() => {
          isTyping.current = false
        }}
        onPointerDown={() => {
          isTyping.current = false
        }}
        onClick={sendShown}
        onChange={({ target }) => {
          if (!busy) (isTyping.current ? show : send)(target.value)
        }}
        className="input"
      >
        {shown.map((group) => (
          <optgroup key={group.label} label={group.label}>
            {group.options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      {pending !== null && (
        <button
          type="button"
          aria-description={`${label}: ${labelOf(pending)}`}
          // Safari moves the focus to no button, which would bring back what is stored
          onMouseDown={(event) => event.preventDefault()}
          onBlur={leave}
          onClick={() => send(pending)}
          className="btn btn-sm btn-primary"
        >
          Set
        </button>
      )}
    </span>
  )
}
