import { useRef, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import type { Category } from '#app/categories/contract.ts'
import type { Coupon, CouponTerms } from '#app/coupons/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { UnsavedChangesPrompt } from '#app/shared/web/form/unsaved-changes-prompt.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { CouponFields } from './coupon-fields.tsx'
import { termsIn } from './coupon-form.ts'
import { ProductChoice } from './product-choice.tsx'

type Props = {
  coupon?: Coupon
  categories: Category[]
  action: string
  save: (code: string, terms: CouponTerms) => Promise<{ message: string }>
}

/** The form of a coupon, which leads back to the list when it is saved. */
export function CouponEditor({ coupon, categories, action, save }: Props) {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const isChanged = useRef(false)
  const [products, setProducts] = useState(coupon?.products ?? [])
  const submit = useSubmit(
    async (field, sent) => {
      const { message } = await save(field('code'), termsIn(sent, products))
      toast.success(message)
      isChanged.current = false
      await navigate(href('/dashboard/admin/coupons'))
    },
    { failed: 'The coupon could not be saved.', refused: revalidate, atFieldOnly: true },
  )
  const noteChange = () => {
    isChanged.current = true
  }
  return (
    <>
      <SubmitForm submit={submit} onChange={noteChange} className="surface space-y-6 p-4 sm:p-8">
        <CouponFields coupon={coupon} categories={categories} />
        <ProductChoice
          products={products}
          onChange={(chosen) => {
            noteChange()
            setProducts(chosen)
          }}
        />
        <BusyButton type="submit" busy={submit.busy} className="btn-primary">
          {action}
        </BusyButton>
      </SubmitForm>
      <UnsavedChangesPrompt isChanged={() => isChanged.current} />
    </>
  )
}
