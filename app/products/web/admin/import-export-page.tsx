import { BackOfficePage } from '#app/back-office/page.tsx'
import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { productCsvCalls } from '#app/products/admin-contract.ts'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { useDownload } from '#app/shared/web/transfer.ts'
import { ImportForm } from './import-form.tsx'

/** Exports products and orders, and imports products. */
export default function ImportExportPage() {
  return (
    <BackOfficePage title="Import and export">
      <section aria-labelledby="export" className="surface space-y-4 p-6">
        <h2 id="export" className="text-xl">
          Export
        </h2>
        <p>All products or orders as a CSV file, for spreadsheets, bookkeeping or backup.</p>
        <div className="flex flex-wrap gap-3">
          <Download label="Export products" endpoint={productCsvCalls.exportProducts} />
          <Download label="Export orders" endpoint={orderAdminCalls.exportOrders} />
        </div>
      </section>
      <section aria-labelledby="import" className="surface space-y-4 p-6">
        <h2 id="import" className="text-xl">
          Import products
        </h2>
        <p>
          A CSV file with the columns of the export. A row with the slug of a product changes that
          product; one without a slug adds a new one. Do not edit the column quantity_read: it takes
          sales since the export into account. The file is checked first, and nothing is written
          until you confirm.
        </p>
        <ImportForm />
      </section>
    </BackOfficePage>
  )
}

function Download({ label, endpoint }: { label: string; endpoint: Endpoint }) {
  const { busy, download } = useDownload(endpoint)
  return (
    <BusyButton type="button" busy={busy} onClick={download}>
      {label}
    </BusyButton>
  )
}
