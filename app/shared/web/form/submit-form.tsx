import type { FormHTMLAttributes, InputEvent } from 'react'
import { FormProblems } from './problem.ts'
import type { useSubmit } from './use-submit.ts'

type Props = Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit' | 'noValidate'> & {
  submit: ReturnType<typeof useSubmit>
  ref?: React.Ref<HTMLFormElement>
}

/** The form of `useSubmit`: its fields show what is refused, each until it is edited. */
export function SubmitForm({ submit, onInput, ...form }: Props) {
  const { problems, mend } = submit
  const edited = (event: InputEvent<HTMLFormElement>) => {
    if ('name' in event.target && typeof event.target.name === 'string') mend(event.target.name)
    onInput?.(event)
  }
  return (
    <FormProblems value={{ problems, mend }}>
      <form {...form} {...submit.form} onInput={edited} noValidate />
    </FormProblems>
  )
}
