import { useAnnouncement } from '../toast/use-announcement.ts'

type Props = {
  title: string
  /** The count in words; undefined while it is unknown. */
  counted?: string | null
}

/** The title of a list with its count, which is announced when the list changes. */
export function ListTitle({ title, counted }: Props) {
  useAnnouncement(counted ? `Listed: ${counted}` : null)
  return (
    <div>
      <h1 className="text-3xl">{title}</h1>
      {counted && <p className="wrap-anywhere mt-1 text-base-content/75">{counted}</p>}
    </div>
  )
}
