import { type ReactNode, useState } from 'react'
import { moneyText, parseMoney } from '#app/shared/model/money-text.ts'
import { useMoneyFormat } from '#app/shared/web/form/use-money-format.ts'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { useMoney } from '#app/shared/web/use-money.ts'
import { type Changed, useChange } from '../form-dialog.tsx'

type Props = {
  /** The name of the value, such as `Stock of Teapot`. */
  label: string
  /** The value as it is typed. */
  value: string
  /** The value as it is shown. */
  children: ReactNode
  save: (value: string, reason: string) => Promise<Changed>
  /** The change may have a reason. */
  hasReason?: boolean
  /** Why the typed text is no value; null when it is one. */
  problemOf?: (text: string) => string | null
}

/** A value in a table that is edited in its place: Enter or leaving saves, Escape leaves it as it was. */
export function InPlace({ label, value, children, save, hasReason, problemOf }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { change, revalidate } = useChange(() => setOpen(false))
  const { busy, form } = useSubmit(
    async (field) => {
      const text = field('value').trim()
      if (text === value) return setOpen(false)
      const problem = problemOf?.(text)
      if (problem) return void toast.error(problem)
      await change(() => save(text, field('reason')))
    },
    { failed: 'The value could not be saved.', refused: revalidate },
  )
  if (!isOpen)
    return (
      <button type="button" onClick={() => setOpen(true)} className="in-place">
        {children}
        {/* after what is seen, which voice control is told */}
        <span className="sr-only"> {label}: edit</span>
      </button>
    )
  return (
    <form
      {...form}
      onBlur={({ currentTarget: form, relatedTarget }) =>
        form.contains(relatedTarget) || form.requestSubmit()
      }
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.currentTarget.reset()
        setOpen(false)
      }}
      className="relative inline-block"
    >
      {/* keeps the width of the column */}
      <span aria-hidden="true" className="in-place invisible max-md:hidden">
        {children}
      </span>
      <input
        name="value"
        aria-label={label}
        defaultValue={value}
        inputMode="decimal"
        autoComplete="off"
        aria-busy={busy}
        // focused when it replaces the button
        ref={(input) => input?.select()}
        className="input h-7 w-24 text-end md:absolute md:-right-1.5 md:top-1/2 md:-translate-y-1/2"
      />
      {hasReason && (
        <>
          <input
            name="reason"
            aria-label="Reason"
            placeholder="Reason, if any"
            autoComplete="off"
            className="input h-7 w-40 max-md:ms-2 md:absolute md:top-1/2 md:left-full md:z-10 md:ms-3 md:-translate-y-1/2"
          />
          {/* Enter saves a form of two fields by its button */}
          <input type="submit" hidden />
        </>
      )}
    </form>
  )
}

type MoneyProps = { label: string; value: number; save: (amount: number) => Promise<Changed> }

/** An amount of money in a table, in major units, that is edited in its place. */
export function MoneyInPlace({ label, value, save }: MoneyProps) {
  const format = useMoneyFormat()
  return (
    <InPlace
      label={label}
      value={moneyText(value, format)}
      problemOf={(text) => (text === '' ? 'Enter an amount.' : parseMoney(text, format).problem)}
      save={(text) => save(parseMoney(text, format).amount ?? Number.NaN)}
    >
      {useMoney()(value)}
    </InPlace>
  )
}
