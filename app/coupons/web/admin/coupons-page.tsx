import { DownloadButton } from '#app/back-office/download-button.tsx'
import { type Filter, loadList } from '#app/back-office/kit/list-query.ts'
import type { Column } from '#app/back-office/kit/table.client.tsx'
import { TablePage } from '#app/back-office/kit/table-page.tsx'
import { categoryCalls } from '#app/categories/contract.ts'
import { type Coupon, couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { loadOrToast } from '#app/shared/web/load.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
import type { Route } from './+types/coupons-page.ts'
import { nameOf, useSentence } from './described.ts'

const STATES = {
  active: 'Active',
  scheduled: 'Scheduled',
  used_up: 'Used up',
  ended: 'Ended',
  unusable: 'Not usable',
}
const LOOKS: Partial<Record<Coupon['state'], string>> = {
  active: 'badge-neutral',
  unusable: 'badge-warning',
}
const FILTERS: Filter[] = [{ name: 'state', kind: 'tabs', options: { '': 'All', ...STATES } }]

export const clientLoader = async (args: Route.ClientLoaderArgs) => {
  const [list, categories] = await Promise.all([
    loadList(args, couponAdminCalls.getCoupons, FILTERS, 'The discounts could not be loaded.'),
    loadOrToast(call(categoryCalls.getCategories), MESSAGES.categoriesFailed),
  ])
  return { ...list, categories: categories?.category ?? [] }
}

/** All discounts, by code and automatic. */
export default function CouponsPage({ loaderData }: Route.ComponentProps) {
  const { categories, query, ...list } = loaderData
  const sentence = useSentence(categories)
  const columns: Column<Coupon>[] = [
    { header: 'Name', sort: 'name', phone: 'title', csv: nameOf },
    { header: 'Discount', phone: 'break', csv: sentence },
    {
      header: 'State',
      phone: 'end',
      cell: ({ state }) => (
        <span className={`badge badge-sm whitespace-nowrap ${LOOKS[state] ?? 'badge-ghost'}`}>
          {STATES[state]}
        </span>
      ),
      csv: ({ state }) => STATES[state],
    },
    {
      header: 'Uses',
      sort: 'uses',
      align: 'end',
      csv: ({ uses, maxUses }) => (maxUses === null ? uses : `${uses} of ${maxUses}`),
    },
  ]
  return (
    <TablePage
      {...list}
      title="Discounts"
      what="discount"
      columns={columns}
      nameOf={nameOf}
      open={({ _id: id }) => href('/dashboard/admin/coupon/:id', { id })}
      searchLabel="Search by code or title"
      empty={query.q || query.state ? 'No discounts found.' : 'There are no discounts yet.'}
      tools={
        <>
          <DownloadButton endpoint={couponAdminCalls.exportCoupons} className="btn-ghost">
            Export with orders
          </DownloadButton>
          <a href={href('/dashboard/admin/create-coupon')} className="btn btn-primary">
            Create discount
          </a>
        </>
      }
    />
  )
}
