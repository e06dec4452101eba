import { useRef, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import type { Category } from '#app/categories/contract.ts'
import { type Coupon, type CouponTerms, couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { UnsavedChangesPrompt } from '#app/shared/web/form/unsaved-changes-prompt.tsx'
import { fieldsOf, useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { CouponFields } from './coupon-fields.tsx'
import { ProductChoice } from './product-choice.tsx'

const numberIn = (text: string) => (text === '' ? undefined : Number(text))

function termsIn(form: FormData, products: Coupon['products']): CouponTerms {
  const field = fieldsOf(form)
  return {
    percent: numberIn(field('percent')),
    amount: numberIn(field('amount')),
    minimum: numberIn(field('minimum')),
    from: field('from') || undefined,
    to: field('to') || undefined,
    maxUses: numberIn(field('maxUses')),
    maxUsesEach: numberIn(field('maxUsesEach')),
    combinable: field('combinable') !== '',
    categories: form.getAll('categories').filter((value) => typeof value === 'string'),
    products: products.map(({ _id }) => _id),
  }
}

/** Without a coupon, of a new one. */
type Props = { coupon?: Coupon | null; categories: Category[] }

/** The form of a coupon, which leads back to the list when it is saved. */
export function CouponEditor({ coupon = null, categories }: Props) {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const isChanged = useRef(false)
  const [products, setProducts] = useState(coupon?.products ?? [])
  const submit = useSubmit(
    async (field, sent) => {
      const terms = termsIn(sent, products)
      const { message } = await (coupon
        ? call(couponAdminCalls.updateCoupon, { params: { id: coupon._id }, body: terms })
        : call(couponAdminCalls.createCoupon, { body: { code: field('code'), ...terms } }))
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
          {coupon ? 'Update coupon' : 'Create coupon'}
        </BusyButton>
      </SubmitForm>
      <UnsavedChangesPrompt isChanged={() => isChanged.current} />
    </>
  )
}
