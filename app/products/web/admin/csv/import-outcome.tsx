import type { Outcome } from './use-import.ts'

/** The result of a check or an import with its invalid rows, and the next step. */
export function ImportOutcome({
  outcome: { imported, message, report },
  onImport,
}: {
  outcome: Outcome
  onImport: (partial: boolean) => void
}) {
  const right = report.rows - report.wrong
  return (
    <div className="space-y-4">
      <p role="status" className={`alert ${report.wrong > 0 ? 'alert-warning' : 'alert-success'}`}>
        {message}
      </p>
      {report.problems.length > 0 && <WrongRows {...report} />}
      {!imported && right > 0 && (
        <button
          type="button"
          className="btn btn-primary"
          onClick={() => onImport(report.wrong > 0)}
        >
          {report.wrong > 0
            ? `Skip invalid rows, import ${right}`
            : `Import ${right} ${right === 1 ? 'row' : 'rows'}`}
        </button>
      )}
    </div>
  )
}

function WrongRows({ problems, wrong }: Outcome['report']) {
  return (
    <div className="max-h-96 overflow-auto">
      <table className="table">
        <caption className="sr-only">Invalid rows</caption>
        <thead className="text-base-content/75">
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Problem</th>
          </tr>
        </thead>
        <tbody>
          {problems.map(({ line, reason }) => (
            <tr key={line}>
              <td>{line}</td>
              <td className="wrap-anywhere">{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {wrong > problems.length && <p className="p-4">… and {wrong - problems.length} more.</p>}
    </div>
  )
}
