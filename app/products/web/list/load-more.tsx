import { useKnownParams } from '#app/shared/web/navigation/use-known-params.ts'

type Props = { page: number; loading: boolean; onMore: () => void }

/** Appends the next page. Without scripts it links to that page. */
export function LoadMore({ page, loading, onMore }: Props) {
  const otherParams = [...useKnownParams()].filter(([name]) => name !== 'page')
  return (
    <form
      method="get"
      className="mt-10 flex justify-center"
      onSubmit={(event) => {
        event.preventDefault()
        onMore()
      }}
    >
      {otherParams.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <button
        type="submit"
        name="page"
        value={page + 1}
        aria-disabled={loading}
        className="btn btn-secondary btn-wide"
      >
        {loading && <span className="loading loading-spinner loading-sm" />}
        {loading ? 'Loading ...' : 'Load More'}
      </button>
    </form>
  )
}
