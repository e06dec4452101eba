import { useState } from 'react'
import { useNavigate } from 'react-router'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { categoryCalls } from '#app/categories/contract.ts'
import { type Coupon, couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { ConfirmDialog } from '#app/shared/web/confirm-dialog.tsx'
import { ErrorPage, useLastLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { callContext, loadOrFailure } from '#app/shared/web/load.ts'
import { toast } from '#app/shared/web/toast.tsx'
import type { Route } from './+types/edit-coupon-page.ts'
import { CouponEditor } from './coupon-editor.tsx'

export const clientLoader = ({ context, params }: Route.ClientLoaderArgs) => {
  const api = context.get(callContext)
  // both or none: a form without the categories would take them from the coupon
  return loadOrFailure(
    Promise.all([api(couponAdminCalls.getCoupon, { params }), api(categoryCalls.getCategories)]),
  )
}

/** Changes or deletes a coupon. */
export default function EditCouponPage({
  loaderData: { loaded, failure },
  params: { id },
}: Route.ComponentProps) {
  const [coupon, categories] = useLastLoaded(loaded) ?? []
  if (coupon?._id !== id) {
    return <ErrorPage status={failure?.status || 503} serverMessage={failure?.serverMessage} />
  }
  return (
    <section className="space-y-6">
      <PageHead title={`Update ${coupon.code}`} hidden />
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h1 className="text-3xl">Update Coupon</h1>
        <HistoryLink object={coupon._id} />
      </header>
      <CouponEditor
        key={coupon._id}
        coupon={coupon}
        categories={categories?.category ?? []}
        action="Update coupon"
        save={(_code, body) => call(couponAdminCalls.updateCoupon, { params: { id }, body })}
      />
      <DeleteCoupon coupon={coupon} />
    </section>
  )
}

function DeleteCoupon({ coupon: { _id: id, code } }: { coupon: Coupon }) {
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const remove = async () => {
    const { message } = await call(couponAdminCalls.deleteCoupon, { params: { id } })
    toast.success(message)
    await navigate(href('/dashboard/admin/coupons'))
  }
  return (
    <>
      <button type="button" onClick={() => setAsking(true)} className="btn btn-outline btn-error">
        Delete coupon
      </button>
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${code}?`}
          action="Delete"
          onConfirm={remove}
          failed="The coupon could not be deleted."
          onClose={() => setAsking(false)}
        >
          The code cannot be used any more. Orders and started payments keep their discount.
        </ConfirmDialog>
      )}
    </>
  )
}
