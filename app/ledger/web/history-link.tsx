import { Link } from 'react-router'

type Props = { describedBy?: string } & ({ object: string } | { actor: string })

/** Where the admin reads what became of one thing, or what one person did. */
export const historyPath = (by: { object: string } | { actor: string }) =>
  `/dashboard/admin/history?${new URLSearchParams(by)}`

/** The way there; `describedBy` names what has the history, where its place does not. */
export const HistoryLink = ({ describedBy, ...by }: Props) => (
  <Link to={historyPath(by)} aria-describedby={describedBy} className="link">
    {'object' in by ? 'History' : 'What they did'}
  </Link>
)
