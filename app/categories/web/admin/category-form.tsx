import { useState } from 'react'
import { BusyButton } from '#app/shared/web/busy-button.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'

type Props = {
  /** What it starts with. */
  name?: string
  save: (name: string) => Promise<void>
  /** What is said of a failure that brings no sentence of the server's. */
  failed: string
}

/** One field and Submit (spec §2). What is saved makes room for the next. */
export function CategoryForm({ name: before = '', save, failed }: Props) {
  const [name, setName] = useState(before)
  const { busy, form } = useSubmit(
    async () => {
      await save(name)
      setName('')
    },
    { failed },
  )
  return (
    <form {...form} className="flex flex-wrap gap-3">
      <input
        name="name"
        value={name}
        onChange={({ target }) => setName(target.value)}
        placeholder="Enter new category"
        aria-label="Category name"
        autoComplete="off"
        className="input min-w-48 flex-1 bg-base-200 placeholder:text-base-content/75"
      />
      <BusyButton type="submit" busy={busy}>
        Submit
      </BusyButton>
    </form>
  )
}
