import { categoryCalls } from '#app/categories/contract.ts'
import { couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { useLastLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
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
