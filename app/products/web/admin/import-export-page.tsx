import { useState } from 'react'
import { DownloadButton } from '#app/back-office/download-button.tsx'
import { Checkbox } from '#app/back-office/kit/fields.tsx'
import { FileField } from '#app/back-office/kit/files.tsx'
import { Card, Page } from '#app/back-office/kit/page.tsx'
import { type Column, Table } from '#app/back-office/kit/table.client.tsx'
import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { type ImportStep, productCsvCalls } from '#app/products/admin-contract.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { FormProblems } from '#app/shared/web/form/problem.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import { useImport } from './use-import.ts'

/** Exports products and orders, and imports products. */
export default function ImportExportPage() {
  return (
    <Page title="Import and export">
      <Card title="Export">
        <p>All products or orders as a CSV file, for spreadsheets, bookkeeping or backup.</p>
        <div className="flex flex-wrap gap-2">
          <DownloadButton endpoint={productCsvCalls.exportProducts}>Export products</DownloadButton>
          <DownloadButton endpoint={orderAdminCalls.exportOrders}>Export orders</DownloadButton>
        </div>
      </Card>
      <Card title="Import products">
        <p className="max-w-prose">
          A CSV file with the columns of the export. A row with the slug of a product changes that
          product; one without a slug adds a new one. Variants are rows of one slug that follow each
          other: give those of a new product the same made-up slug. Only those with yes in the
          column remove are removed. Do not edit the column quantity_read: it takes sales since the
          export into account. The file is checked first, and nothing is written until you confirm.
        </p>
        <Import />
      </Card>
    </Page>
  )
}

type Chosen = { file: File | null; createCategories: boolean }

/** Checks a file of products first, then imports it, optionally without its invalid rows. */
function Import() {
  const { step, problem, send, clear } = useImport()
  const [chosen, setChosen] = useState<Chosen>({ file: null, createCategories: false })
  const { file, createCategories } = chosen
  const busy = step !== null && step.step !== 'done'
  const choose = (choice: Partial<Chosen>) => {
    setChosen({ ...chosen, ...choice })
    clear()
  }
  return (
    <div className="max-w-2xl space-y-4">
      <FormProblems
        value={{ problems: problem ? [{ field: 'file', message: problem }] : [], mend: clear }}
      >
        <FileField
          label="CSV file, up to 50 MB"
          name="file"
          accept=".csv,text/csv"
          disabled={busy}
          onChange={({ currentTarget }) => choose({ file: currentTarget.files?.[0] ?? null })}
        />
      </FormProblems>
      <Checkbox
        label="Create missing categories"
        checked={createCategories}
        disabled={busy}
        onChange={({ currentTarget }) => choose({ createCategories: currentTarget.checked })}
      />
      <BusyButton
        busy={busy}
        reason={file ? null : 'Choose a file first.'}
        onClick={() => file && send(file, { dryRun: true, createCategories })}
      >
        Check the file
      </BusyButton>
      {step?.step === 'checking' && <p role="status">Checking: {step.rows} rows</p>}
      {step?.step === 'writing' && (
        <p role="status">
          Importing: {step.rows} of {step.of} rows
        </p>
      )}
      {step?.step === 'done' && file && (
        <ImportOutcome
          outcome={step}
          onImport={(partial) => send(file, { createCategories, partial })}
        />
      )}
    </div>
  )
}

const COLUMNS: Column<{ _id: string; reason: string }>[] = [
  { header: 'Line', csv: ({ _id }) => _id, phone: 'title' },
  { header: 'Problem', csv: ({ reason }) => reason },
]

type OutcomeProps = {
  outcome: Extract<ImportStep, { step: 'done' }>
  onImport: (partial: boolean) => void
}

/** The result of a check or an import with its invalid rows, and the next step. */
function ImportOutcome({ outcome: { imported, message, report }, onImport }: OutcomeProps) {
  const { rows, wrong, problems } = report
  const valid = rows - wrong
  const hasInvalid = wrong > 0
  return (
    <>
      <p role="status" className={`alert ${hasInvalid ? 'alert-warning' : 'alert-success'}`}>
        {message}
      </p>
      {hasInvalid && (
        <div className="surface overflow-x-auto">
          <Table
            label="Invalid rows"
            items={problems.map(({ line, reason }) => ({ _id: String(line), reason }))}
            columns={COLUMNS}
            nameOf={({ _id }) => `line ${_id}`}
          />
          {wrong > problems.length && <p className="p-3">… and {wrong - problems.length} more.</p>}
        </div>
      )}
      {!imported && valid > 0 && (
        <button type="button" className="btn btn-primary" onClick={() => onImport(hasInvalid)}>
          {hasInvalid
            ? `Skip invalid rows, import ${valid}`
            : `Import ${pluralize(valid, 'row', false)}`}
        </button>
      )}
    </>
  )
}
