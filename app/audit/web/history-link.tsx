import { Link } from 'react-router'
import { href } from '#app/shared/model/href.ts'

type Props = { describedBy?: string } & ({ object: string } | { actor: string })

/** The URL of the audit log of one object or one actor. */
export const historyPath = (by: { object: string } | { actor: string }) =>
  `${href('/dashboard/admin/history')}?${new URLSearchParams(by)}`

/** A link to the history; `describedBy` is the id of the element with the object's name. */
export const HistoryLink = ({ describedBy, ...by }: Props) => (
  <Link to={historyPath(by)} aria-describedby={describedBy} className="link">
    {'object' in by ? 'History' : 'What they did'}
  </Link>
)
