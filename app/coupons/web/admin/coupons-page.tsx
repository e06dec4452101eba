import { Link } from 'react-router'
import { ListPage } from '#app/back-office/list-page.tsx'
import { type Coupon, couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import { useDownload } from '#app/shared/web/transfer.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import type { Route } from './+types/coupons-page.ts'

export const clientLoader = ({ context, request }: Route.ClientLoaderArgs) => {
  const query = { page: pageOf(new URL(request.url).searchParams) }
  return loadOrToast(
    context.get(callContext).counted(couponAdminCalls.getCoupons, { query }),
    'The coupons could not be loaded.',
  )
}

/** All coupons, newest first. */
export default function CouponsPage({ loaderData: found }: Route.ComponentProps) {
  const { busy, download } = useDownload(couponAdminCalls.exportCoupons)
  return (
    <ListPage
      title="Coupons"
      label="Coupons"
      what="coupon"
      found={found}
      entry={(coupon) => <ListedCoupon coupon={coupon} />}
      empty="There are no coupons yet."
      tools={
        <div className="flex flex-wrap gap-3">
          <BusyButton type="button" busy={busy} className="" onClick={download}>
            Export coupons
          </BusyButton>
          <Link to={href('/dashboard/admin/create-coupon')} className="btn btn-primary">
            Create coupon
          </Link>
        </div>
      }
    />
  )
}

/** How often a coupon was used, and may be. */
const usesOf = ({ uses, maxUses }: Coupon) => {
  const times = (count: number) => `${count} ${count === 1 ? 'time' : 'times'}`
  return maxUses === null ? `used ${times(uses)}` : `used ${uses} of ${times(maxUses)}`
}

/** The products and categories to which a coupon applies. */
function scopeOf({ products, categories }: Coupon): string | null {
  const parts = [
    products.length > 0 ? pluralize(products.length, 'product', false) : null,
    categories.length > 0
      ? `${categories.length} ${categories.length === 1 ? 'category' : 'categories'}`
      : null,
  ].filter((part) => part !== null)
  return parts.length > 0 ? `for ${parts.join(' and ')}` : null
}

function ListedCoupon({ coupon }: { coupon: Coupon }) {
  const money = useMoney()
  const { _id, code, percent, amount, minimum, from, to, maxUsesEach, combinable } = coupon
  const facts = [
    percent === null ? `${money(amount ?? 0)} off` : `${percent}% off`,
    scopeOf(coupon),
    minimum > 0 ? `carts from ${money(minimum)}` : null,
    from && `from ${from}`,
    to && `until ${to}`,
    maxUsesEach && `${maxUsesEach} for each customer`,
    combinable ? 'combinable' : null,
    usesOf(coupon),
  ]
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 p-4 sm:px-6">
      <div className="wrap-anywhere min-w-0">
        <p className="font-semibold">{code}</p>
        <p className="text-base-content/75 text-sm">
          {facts.filter((fact) => fact !== null).join(' · ')}
        </p>
      </div>
      <Link
        to={href('/dashboard/admin/coupon/:id', { id: _id })}
        aria-label={`Edit ${code}`}
        className="btn btn-sm btn-outline border-base-300"
      >
        Edit
      </Link>
    </div>
  )
}
