import { useNavigate } from 'react-router'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { BackOfficePage } from '#app/back-office/page.tsx'
import { DialogButton } from '#app/back-office/row-actions.tsx'
import { categoryCalls } from '#app/categories/contract.ts'
import { type Coupon, couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { ConfirmDialog } from '#app/shared/web/confirm-dialog.tsx'
import { ErrorPage, useLastLoaded } from '#app/shared/web/failure.tsx'
import { callContext, loadOrFailure } from '#app/shared/web/load.ts'
import { toast } from '#app/shared/web/toast.tsx'
import type { Route } from './+types/coupon-page.ts'
import { CouponEditor } from './coupon-editor.tsx'

export const clientLoader = ({ context, params: { id } }: Route.ClientLoaderArgs) => {
  const api = context.get(callContext)
  const coupon = id === undefined ? null : api(couponAdminCalls.getCoupon, { params: { id } })
  // both or none: a form without the categories would take them from the coupon
  return loadOrFailure(Promise.all([coupon, api(categoryCalls.getCategories)]))
}

/** Creates a coupon; or changes or deletes one. */
export default function CouponPage({
  loaderData: { loaded, failure },
  params: { id },
}: Route.ComponentProps) {
  const [coupon, categories] = useLastLoaded(loaded, id) ?? []
  if (!categories) return <ErrorPage error={failure} />
  return (
    <BackOfficePage
      title={coupon ? 'Update Coupon' : 'Create Coupon'}
      tab={coupon ? `Update ${coupon.code}` : 'Create Coupon'}
      tools={coupon && <HistoryLink object={coupon._id} />}
    >
      <CouponEditor key={id} coupon={coupon} categories={categories.category} />
      {coupon && <DeleteCoupon coupon={coupon} />}
    </BackOfficePage>
  )
}

function DeleteCoupon({ coupon: { _id: id, code } }: { coupon: Coupon }) {
  const navigate = useNavigate()
  const remove = async () => {
    const { message } = await call(couponAdminCalls.deleteCoupon, { params: { id } })
    toast.success(message)
    await navigate(href('/dashboard/admin/coupons'))
  }
  return (
    <DialogButton
      className="btn btn-outline btn-error"
      dialog={(close) => (
        <ConfirmDialog
          title={`Delete ${code}?`}
          action="Delete"
          onConfirm={remove}
          failed="The coupon could not be deleted."
          onClose={close}
        >
          The code cannot be used any more. Orders and started payments keep their discount.
        </ConfirmDialog>
      )}
    >
      Delete coupon
    </DialogButton>
  )
}
