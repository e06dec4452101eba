import { Card, Columns } from '#app/back-office/kit/page.tsx'
import type { Figures as Loaded } from '#app/orders/admin-contract.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { FigureLists, LatestOrders } from './figure-lists.tsx'
import { SalesChart, SalesTable } from './sales.tsx'
import { samplesAtom, withSamples } from './sample-figures.ts'
import { Tiles } from './tiles.tsx'

/** The figures of a period; sample figures until an order counts. */
export function Figures({ figures: loaded }: { figures: Loaded }) {
  const isSampled = useStore(samplesAtom) && !loaded.hasSales
  const figures = isSampled ? withSamples(loaded) : loaded
  return (
    <>
      {isSampled && (
        <div className="surface flex flex-wrap items-center justify-between gap-2 border-warning p-3">
          <p>
            <strong>Sample figures.</strong> They show what this page looks like until the first
            order that is no test.
          </p>
          <button type="button" className="btn" onClick={() => samplesAtom.set(false)}>
            Hide
          </button>
        </div>
      )}
      <Tiles figures={figures} />
      <Columns side={<FigureLists figures={figures} />}>
        <Card title="Sales">
          <SalesChart figures={figures} />
          <SalesTable figures={figures} />
        </Card>
        {!isSampled && <LatestOrders orders={figures.latestOrders} />}
      </Columns>
    </>
  )
}
