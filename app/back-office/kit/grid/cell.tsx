import { type FocusEvent, type InputHTMLAttributes, useEffect, useEffectEvent, useRef } from 'react'

type Props = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'inputMode' | 'maxLength' | 'onPaste' | 'onKeyDown'
> & {
  label: string
  text: string
  problem: string | undefined
  align: 'end' | undefined
  /** The number of characters that are in view. */
  size: number
  /** It gets the focus. */
  isGoal: boolean
  onReached: () => void
  onText: (text: string) => void
}

/** A field as a cell of a grid. Escape brings back the text that it had when it got the focus. */
export function Cell(props: Props) {
  const { label, text, problem, align, size, isGoal, onReached, onText, onKeyDown, ...input } =
    props
  const before = useRef(text)
  const field = useRef<HTMLInputElement>(null)
  const reach = useEffectEvent(onReached)
  useEffect(() => {
    if (!isGoal) return
    field.current?.focus()
    reach()
  }, [isGoal])
  const begin = ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    before.current = text
    currentTarget.select()
  }
  return (
    <td>
      <input
        {...input}
        ref={field}
        aria-label={label}
        aria-invalid={problem !== undefined || undefined}
        aria-description={problem}
        title={problem}
        autoComplete="off"
        value={text}
        onFocus={begin}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={(event) =>
          event.key === 'Escape' ? onText(before.current) : onKeyDown?.(event)
        }
        style={{ minWidth: `${size + 3}ch` }}
        className={`grid-cell ${align === 'end' ? 'text-end' : ''}`}
      />
    </td>
  )
}
