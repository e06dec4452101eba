import type { ReactNode } from 'react'
import type { User } from '#app/accounts/session-contract.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { AddressForm } from '#app/shipping/web/address-form.tsx'
import { type BuyerChoices, choicesAtom } from './choices.ts'

export type Billing = BuyerChoices['billing']

/** Whether a buyer is billed at another address, and where; not what another buyer chose in this tab. */
export function useBilling(buyerId: string | undefined): Billing {
  const { billing } = useStore(choicesAtom)
  return billing?.buyerId === buyerId ? billing : undefined
}

/** The step that is missing, as a sentence; null when none is. */
export const missingIn = (billing: Billing): string | null =>
  billing && !billing.address ? 'Please enter the billing address first.' : null

const setBilling = (billing: Billing) => choicesAtom.update((stored) => ({ ...stored, billing }))

/** The billing address, where the buyer wants another one than that of the delivery. */
export function BillingSection({ user }: { user: User }): ReactNode {
  const { _id: buyerId, name, phone } = user
  const billing = useBilling(buyerId)
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
