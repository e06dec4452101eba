import { useState } from 'react'
import { DialogButton } from '#app/back-office/kit/dialog-button.tsx'
import { InfoDialog } from '#app/back-office/kit/form-dialog.tsx'
import { Loaded } from '#app/back-office/kit/loaded.tsx'
import { catalogueCalls } from '#app/products/catalogue-contract.ts'

type Props = { product: { _id: string; name: string } }

/** A button that shows what changed the stock of a product, newest first. */
export const StockHistory = ({ product }: Props) => (
  <DialogButton
    dialog={
      <InfoDialog title={`Stock of ${product.name}`} wide>
        <History id={product._id} />
      </InfoDialog>
    }
  >
    History of the stock
  </DialogButton>
)

function History({ id }: { id: string }) {
  const [pages, setPages] = useState(1)
  return (
    <Loaded
      of={`${pages}`}
      pause={0}
      load={async (call) => {
        const loading = Array.from({ length: pages }, (_, before) =>
          call.counted(catalogueCalls.getStockHistory, {
            params: { id },
            query: { page: before + 1 },
          }),
        )
        // the table is no part of the page's scripts
        const [{ StockTable }, found] = await Promise.all([
          import('./stock-table.tsx'),
          Promise.all(loading),
        ])
        return { found, StockTable }
      }}
      failed="The history could not be loaded."
    >
      {({ found, StockTable }) => {
        const items = found.flatMap((page) => page.items)
        return (
          <div className="space-y-3 overflow-x-auto">
            <StockTable items={items} />
            {items.length < (found[0]?.total ?? 0) && (
              <button type="button" onClick={() => setPages(pages + 1)} className="btn">
                Show more
              </button>
            )}
          </div>
        )
      }}
    </Loaded>
  )
}
