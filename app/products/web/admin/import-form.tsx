import { type SubmitEvent, useState } from 'react'
import { Checkbox } from '#app/back-office/fields.tsx'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { type Outcome, type Progress, useImport } from './use-import.ts'

/** Checks a file of products first, then imports it, optionally without its invalid rows. */
export function ImportForm() {
  const { progress, outcome, send, clear } = useImport()
  const [file, setFile] = useState<File | null>(null)
  const [createCategories, setCreateCategories] = useState(false)
  const busy = progress !== null
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (file) void send(file, { dryRun: true, createCategories })
  }
  return (
    <div className="space-y-5">
      <form onSubmit={submit} method="post" className="space-y-4">
        <label className="block space-y-1.5 font-medium text-sm">
          <span>CSV file, up to 50 MB</span>
          <input
            type="file"
            accept=".csv,text/csv"
            required
            disabled={busy}
            className="file-input w-full bg-base-200"
            onChange={({ currentTarget }) => {
              setFile(currentTarget.files?.[0] ?? null)
              clear()
            }}
          />
        </label>
        <Checkbox
          label="Create missing categories"
          checked={createCategories}
          disabled={busy}
          onChange={({ currentTarget }) => {
            setCreateCategories(currentTarget.checked)
            clear()
          }}
        />
        <BusyButton type="submit" busy={busy} disabled={!file}>
          Check the file
        </BusyButton>
      </form>
      {progress && <Bar progress={progress} />}
      {outcome && file && (
        <ImportOutcome
          outcome={outcome}
          onImport={(partial) => void send(file, { createCategories, partial })}
        />
      )}
    </div>
  )
}

function Bar({ progress }: { progress: Progress }) {
  const { step, rows } = progress
  const of = step === 'writing' ? progress.of : undefined
  const text = of === undefined ? `Checking: ${rows} rows` : `Importing: ${rows} of ${of} rows`
  return (
    <div role="status" className="space-y-2">
      <p>{text}</p>
      <progress
        aria-label={text}
        className="progress progress-primary w-full"
        value={of && rows}
        max={of}
      />
    </div>
  )
}

/** The result of a check or an import with its invalid rows, and the next step. */
function ImportOutcome({
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
