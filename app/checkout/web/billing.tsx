import type { ReactNode } from 'react'
import { useBuyer } from '#app/accounts/web/buyer.ts'
import { AddressForm } from '#app/shipping/web/address-form.tsx'
import { type Billing, choicesAtom, useBilling } from './choices.ts'

/** The step that is missing, as a sentence; null when none is. */
export const missingIn = (billing: Billing): string | null =>
  billing && !billing.address ? 'Please enter the billing address first.' : null

const setBilling = (billing: Billing) => choicesAtom.update((stored) => ({ ...stored, billing }))

/** The billing address, where the buyer wants another one than that of the delivery. */
export function BillingSection(): ReactNode {
  const buyer = useBuyer()
  const billing = useBilling()
  if (!buyer) return null
  const { _id: buyerId, name, phone } = buyer
  return (
    <div className="space-y-3">
      <label className="flex items-center gap-3">
        <input
          type="checkbox"
          className="checkbox"
          checked={billing !== undefined}
          onChange={({ target }) => setBilling(target.checked ? { buyerId } : undefined)}
        />
        Bill to another address
      </label>
      {billing && (
        <AddressForm
          of="billing"
          address={billing.address}
          suggested={{ name, phone }}
          onChange={(address) => setBilling({ buyerId, address })}
          remember={undefined}
        />
      )}
    </div>
  )
}
