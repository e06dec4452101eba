type Props = {
  title: string
  /** How many there are, in words; nothing while that is not known. */
  counted?: string | null
}

/** What a list shows, and how many there are. */
export const ListTitle = ({ title, counted }: Props) => (
  <div>
    <h1 className="text-3xl">{title}</h1>
    {counted && (
      <p role="status" className="wrap-anywhere mt-1 text-base-content/75">
        {counted}
      </p>
    )}
  </div>
)
