import { Link } from 'react-router'

type Props = { describedBy?: string } & ({ object: string } | { actor: string })

/** The address of the audit log of one object, or of one person's actions. */
export const historyPath = (by: { object: string } | { actor: string }) =>
  `/dashboard/admin/history?${new URLSearchParams(by)}`

/** A link to it; `describedBy` is the id of the element that names its object. */
export const HistoryLink = ({ describedBy, ...by }: Props) => (
  <Link to={historyPath(by)} aria-describedby={describedBy} className="link">
    {'object' in by ? 'History' : 'What they did'}
  </Link>
)
