import type { ListedFinding } from '#app/setup/checklist-contract.ts'

const STATES = {
  problem: { label: 'Problem', className: 'badge-error' },
  warning: { label: 'Warning', className: 'badge-warning' },
} as const

/** What the doctor recommends, in the sentences of `npm run shop -- doctor`. */
export function FindingList({
  findings,
  heading: Heading = 'h3',
}: {
  findings: ListedFinding[]
  heading?: 'h2' | 'h3'
}) {
  const bad = findings.flatMap(({ state, ...finding }) =>
    state === 'ok' ? [] : [{ ...finding, ...STATES[state] }],
  )
  return (
    <section aria-labelledby="findings" className="space-y-4">
      <Heading id="findings" className="text-xl">
        Checks of the installation
      </Heading>
      <p className="text-base-content/75">
        {findings.length - bad.length} of {findings.length} checks are fine.
        {bad.length > 0 && ' These need attention:'}
      </p>
      {bad.length > 0 && (
        <ul className="space-y-4">
          {bad.map(({ label, className, about, found, advice }) => (
            <li key={`${about} ${found}`} className="wrap-anywhere space-y-1">
              <p>
                <span className={`badge badge-sm mr-2 ${className}`}>{label}</span>
                <strong>{about}:</strong> {found}
              </p>
              {advice && <p className="text-base-content/75 text-sm">{advice}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
