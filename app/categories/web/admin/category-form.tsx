import { BusyButton } from '#app/shared/web/busy-button.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'

type Props = {
  name: string
  onName: (name: string) => void
  save: () => Promise<void>
  /** Shown when a failure has no message of the server's. */
  failed: string
}

/** One field and Submit (spec §2). */
export function CategoryForm({ name, onName, save, failed }: Props) {
  const { busy, form } = useSubmit(save, { failed })
  return (
    <form {...form} className="flex flex-wrap gap-3">
      <input
        name="name"
        value={name}
        onChange={({ target }) => onName(target.value)}
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
