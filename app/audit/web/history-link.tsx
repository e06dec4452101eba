import { Link } from 'react-router'
import { href } from '#app/shared/model/href.ts'

type Props = { describedBy?: string; name?: string; className?: string } & (
  | { object: string }
  | { actor: string }
)

/** The URL of the audit log of one object or one actor. */
export const historyPath = (by: { object: string } | { actor: string }) =>
  `${href('/dashboard/admin/history')}?${new URLSearchParams(by)}`

/** A link to the history of an object, described by its `name`, or by the element with the id `describedBy`. */
export const HistoryLink = ({ describedBy, name, className = 'link', ...by }: Props) => (
  <Link
    to={historyPath(by)}
    aria-describedby={describedBy}
    aria-description={name}
    // one word, also in a narrow cell that breaks names
    className={`${className} whitespace-nowrap`}
  >
    {'object' in by ? 'History' : 'Activity'}
  </Link>
)
