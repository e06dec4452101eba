import { Card, Columns } from '#app/back-office/kit/page.tsx'
import type { Figures as Loaded } from '#app/orders/admin-contract.ts'
import { FigureLists, LatestOrders } from './figure-lists.tsx'
import { SalesChart, SalesTable } from './sales.tsx'
import { Tiles } from './tiles.tsx'

/** The figures of a period. */
export function Figures({ figures }: { figures: Loaded }) {
  return (
    <>
      <Tiles figures={figures} />
      <Columns side={<FigureLists figures={figures} />}>
        <Card title="Sales">
          <SalesChart figures={figures} />
          <SalesTable figures={figures} />
        </Card>
        <LatestOrders orders={figures.latestOrders} />
      </Columns>
    </>
  )
}
