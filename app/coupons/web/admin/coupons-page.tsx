import { Link } from 'react-router'
import { COUPONS_PAGE_SIZE, type Coupon, couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { NotLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { ListTitle, Pages } from '#app/shared/web/list.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { useMoney } from '#app/shared/web/money.ts'
import { pageOf } from '#app/shared/web/query.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import { useDownload } from '#app/shared/web/transfer.ts'
import type { Route } from './+types/coupons-page.ts'

export const clientLoader = async ({ context, request }: Route.ClientLoaderArgs) => {
  const page = pageOf(new URL(request.url).searchParams)
  const found = await loadOrToast(
    context.get(callContext).counted(couponAdminCalls.getCoupons, { query: { page } }),
    'The coupons could not be loaded.',
  )
  return { found, page }
}

/** All coupons, newest first. */
export default function CouponsPage({ loaderData: { found, page } }: Route.ComponentProps) {
  const { busy, download } = useDownload(couponAdminCalls.exportCoupons)
  return (
    <section className="space-y-6">
      <PageHead title="Coupons" hidden />
      <header className="flex flex-wrap items-end justify-between gap-4">
        <ListTitle title="Coupons" counted={found && pluralize(found.total, 'coupon', false)} />
        <div className="flex flex-wrap gap-3">
          <BusyButton type="button" busy={busy} className="" onClick={download}>
            Export coupons
          </BusyButton>
          <Link to={href('/dashboard/admin/create-coupon')} className="btn btn-primary">
            Create coupon
          </Link>
        </div>
      </header>
      {found ? (
        <>
          {found.items.length === 0 ? (
            <p className="surface px-6 py-16 text-center text-lg">There are no coupons yet.</p>
          ) : (
            <ul aria-label="Coupons" className="surface divide-y divide-base-300">
              {found.items.map((coupon) => (
                <CouponItem key={coupon._id} coupon={coupon} />
              ))}
            </ul>
          )}
          <Pages page={page} total={found.total} pageSize={COUPONS_PAGE_SIZE} />
        </>
      ) : (
        <NotLoaded />
      )}
    </section>
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

function CouponItem({ coupon }: { coupon: Coupon }) {
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
    <li className="flex flex-wrap items-center justify-between gap-2 p-4 sm:px-6">
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
    </li>
  )
}
