type Props = {
  title: string
  /** The count in words; undefined while it is unknown. */
  counted?: string | null
}

/** The title of a list with its count. */
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
