import { type RefObject, useEffect, useRef, useState } from 'react'

const unchangedIn = (form: HTMLFormElement | null) =>
  new Map(
    [...(form?.querySelectorAll<HTMLInputElement>('input[data-unchanged]') ?? [])].map(
      ({ name, dataset }) => [name, dataset.unchanged],
    ),
  )

/** What a form would send, as a text to compare; `unchanged` has the values of nothing to save of some fields. */
function textOf(form: HTMLFormElement | null, unchanged = new Map<string, unknown>()): string {
  const values = form ? [...new FormData(form)] : []
  return JSON.stringify(
    values.map(([name, value]) => [
      name,
      unchanged.get(name) ?? (value instanceof File ? [value.name, value.size] : value),
    ]),
  )
}

/** Whether what a form would send differs from what it would have sent at first, or from what was saved last. */
export function useFormText(form: RefObject<HTMLFormElement | null>) {
  const saved = useRef<string | null>(null)
  /** The text of what is stored once the form is sent. */
  const text = () => textOf(form.current, unchangedIn(form.current))
  // always the same function, so that it can be the ref of fields that begin anew
  const [noteFields] = useState(() => () => {
    saved.current = text()
  })
  useEffect(noteFields, [noteFields])
  return {
    text,
    isChanged: () => saved.current !== null && textOf(form.current) !== saved.current,
    /** The fields are as they are stored. */
    noteFields,
    /** The text that was sent is stored; the fields may have changed since. */
    noteSent: (sent: string) => {
      saved.current = sent
    },
  }
}
