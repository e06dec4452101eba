import { categoryCalls } from '#app/categories/contract.ts'
import { couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { loadOrToast } from '#app/shared/web/failure/load-or-toast.ts'
import { useLastLoaded } from '#app/shared/web/failure/use-last-loaded.ts'
import { callContext } from '#app/shared/web/load.ts'
import { MESSAGES } from '#app/shared/web/messages.ts'
import { PageHead } from '#app/shared/web/page-head.tsx'
import type { Route } from './+types/create-coupon-page.ts'
import { CouponEditor } from './coupon-editor.tsx'

export const clientLoader = ({ context }: Route.ClientLoaderArgs) =>
  loadOrToast(context.get(callContext)(categoryCalls.getCategories), MESSAGES.categoriesFailed)

/** Adds a coupon. */
export default function CreateCouponPage({ loaderData }: Route.ComponentProps) {
  const categories = useLastLoaded(loaderData)
  return (
    <section className="space-y-6">
      <PageHead title="Create Coupon" hidden />
      <h1 className="text-3xl">Create Coupon</h1>
      <CouponEditor
        categories={categories?.category ?? []}
        action="Create coupon"
        save={(code, terms) => call(couponAdminCalls.createCoupon, { body: { code, ...terms } })}
      />
    </section>
  )
}
