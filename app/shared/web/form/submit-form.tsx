import type { FormHTMLAttributes } from 'react'
import { FormProblem } from './problem.ts'
import type { useSubmit } from './use-submit.ts'

type Props = Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> & {
  submit: ReturnType<typeof useSubmit>
  ref?: React.Ref<HTMLFormElement>
}

/** The form of `useSubmit`, whose fields show what the server has refused. */
export const SubmitForm = ({ submit, ...form }: Props) => (
  <FormProblem value={submit.problem}>
    <form {...form} {...submit.form} />
  </FormProblem>
)
