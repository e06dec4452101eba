import { type ReactNode, use, useState } from 'react'
import { FormProblems } from '#app/shared/web/form/problem.ts'

type Props<Entry> = {
  /** The path of the list in the body. */
  list: string
  /** The noun of an entry, such as rate. */
  noun: string
  /** The entries of the opened form; one that is added is undefined. */
  opened: readonly (Entry | undefined)[]
  /** The fields of an entry, whose names begin with its path, and the button that removes it. */
  children: (entry: Entry | undefined, path: string, remove: ReactNode) => ReactNode
}

/** A list of a form whose entries are added and removed. */
export function Entries<Entry>({ list, noun, opened, children }: Props<Entry>) {
  const { problems, mend } = use(FormProblems)
  const [entries, setEntries] = useState(() => opened.map((entry, key) => ({ key, entry })))
  const add = () =>
    setEntries((all) => [...all, { key: (all.at(-1)?.key ?? -1) + 1, entry: undefined }])
  const remove = (key: number) => {
    setEntries((all) => all.filter((one) => one.key !== key))
    // those after it have other paths now
    for (const { field } of problems) if (field.startsWith(`${list}.`)) mend(field)
  }
  return (
    <>
      <ol className="space-y-4">
        {entries.map(({ key, entry }, at) => (
          <li key={key}>
            {children(
              entry,
              `${list}.${at}`,
              <button
                type="button"
                onClick={() => remove(key)}
                className="btn btn-ghost btn-sm text-error"
              >
                Remove {noun}
              </button>,
            )}
          </li>
        ))}
      </ol>
      <button type="button" onClick={add} className="btn btn-sm">
        Add {noun}
      </button>
    </>
  )
}
