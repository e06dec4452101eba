import { use } from 'react'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { MoneyInput } from '#app/shared/web/form/money-field.tsx'
import { FormProblems } from '#app/shared/web/form/problem.ts'

type Props = {
  label: string
  /** The name of the field in problems. */
  field: string
  hint?: string
  value: string
  onChange: (value: string) => void
  /** A number of something else than money. */
  isNumber?: boolean
}

/** An amount of money, or another number, in the zone's form, with what is wrong with its value. */
export const AmountField = ({ label, field, hint, value, onChange, isNumber = false }: Props) => (
  <Labelled label={label} name={field} hint={hint}>
    {(id, problem) => {
      const control = {
        ...problem,
        id,
        name: field,
        value,
        onChange: ({ target }: { target: HTMLInputElement }) => onChange(target.value),
      }
      return isNumber ? (
        <input
          {...control}
          inputMode="numeric"
          autoComplete="off"
          className="input w-full bg-base-200 aria-invalid:border-error"
        />
      ) : (
        <MoneyInput {...control} />
      )
    }}
  </Labelled>
)

/** The sentence about a list as a whole, such as one without entries. */
export function ListProblem({ field }: { field: string }) {
  const { problems } = use(FormProblems)
  const message = problems.find((one) => one.field === field)?.message
  return (
    message !== undefined && (
      <p role="alert" className="font-semibold text-error text-sm">
        {message}
      </p>
    )
  )
}
