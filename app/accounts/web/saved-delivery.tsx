import { useState } from 'react'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { useStore } from '#app/shared/web/storage.ts'
import { toast } from '#app/shared/web/toast.tsx'
import type { DeliveryAddress } from '#app/shipping/contract.ts'
import { formatAddress } from '#app/shipping/model.ts'
import { AddressFields, addressIn } from '#app/shipping/web/address-fields.tsx'
import { accountCalls } from '../contract.ts'
import { sessionAtom } from './session.ts'

/** The delivery address that checkout suggests. */
export function SavedDelivery() {
  const { user } = useStore(sessionAtom)
  const [isEditing, setEditing] = useState(false)
  const save = async (delivery: DeliveryAddress | null) => {
    const { message, updatedUser } = await call(accountCalls.updateProfile, { body: { delivery } })
    sessionAtom.update((session) => ({ ...session, user: updatedUser }))
    setEditing(false)
    toast.success(message)
  }
  const saving = useSubmit((field) => save(addressIn(field)))
  const deleting = useSubmit(() => save(null))
  const address = user?.delivery
  return (
    <section className="mt-10 border-base-300 border-t pt-6">
      <h2 className="text-xl">Delivery address</h2>
      <p className="mt-2 mb-4 text-base-content/75">
        The cart suggests it where shipping or tax depends on the address.
      </p>
      {isEditing ? (
        <SubmitForm submit={saving} className="space-y-4">
          <AddressFields address={address ?? { name: user?.name, phone: user?.phone }} required />
          <div className="flex flex-wrap gap-3">
            <BusyButton type="submit" busy={saving.busy}>
              Save address
            </BusyButton>
            <button type="button" onClick={() => setEditing(false)} className="btn">
              Cancel
            </button>
          </div>
        </SubmitForm>
      ) : (
        <>
          {address && (
            <p className="wrap-anywhere mb-4">
              {address.name}, {formatAddress(address)}, {address.phone}
            </p>
          )}
          <div className="flex flex-wrap gap-3">
            <button type="button" onClick={() => setEditing(true)} className="btn">
              {address ? 'Change address' : 'Add address'}
            </button>
            {address && (
              <form {...deleting.form}>
                <BusyButton type="submit" busy={deleting.busy} className="btn-ghost text-error">
                  Delete address
                </BusyButton>
              </form>
            )}
          </div>
        </>
      )}
    </section>
  )
}
