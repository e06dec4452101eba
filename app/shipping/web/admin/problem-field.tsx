import type { ComponentProps } from 'react'
import {
  DescribedField,
  DescribedInput,
  type InputProps,
} from '#app/shared/web/form/described-field.tsx'
import type { Problem } from '#app/shipping/problems-contract.ts'

type OfField = {
  /** The name of the field in problems. */
  field: string
  problem: Problem | null
}

const messageOf = ({ field, problem }: OfField) =>
  problem?.field === field ? problem.message : undefined

/** A control with its label, its hint, and the sentence that says what is wrong with its field. */
export const ProblemField = ({
  field,
  problem,
  ...control
}: Omit<ComponentProps<typeof DescribedField>, 'problem'> & OfField) => (
  <DescribedField {...control} problem={messageOf({ field, problem })} />
)

/** The same with a text input. */
export const ProblemInput = ({
  field,
  problem,
  ...input
}: Omit<InputProps, 'problem'> & OfField) => (
  <DescribedInput {...input} problem={messageOf({ field, problem })} />
)

/** The sentence about a list as a whole, such as one without entries. */
export const ListProblem = ({ field, problem }: OfField) => {
  const message = messageOf({ field, problem })
  return (
    message !== undefined && (
      <p role="alert" className="font-semibold text-error text-sm">
        {message}
      </p>
    )
  )
}
