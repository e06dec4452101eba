import { useEffect, useRef, useState } from 'react'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import type { DeliveryAddress } from '../contract.ts'
import { formatAddress } from '../model.ts'
import { AddressFields, addressIn } from './address-fields.tsx'

type Props = {
  /** The chosen address; undefined before one is entered. */
  address: DeliveryAddress | undefined
  /** The known data of the buyer. */
  suggested: Pick<DeliveryAddress, 'name' | 'phone'>
  onChange: (address: DeliveryAddress) => void
  /** Stores the address for the next order; undefined for a guest. */
  remember: ((address: DeliveryAddress) => Promise<void>) | undefined
}

/** The delivery address of the cart, or the form to enter it. */
export function DeliveryForm({ address, suggested, onChange, remember }: Props) {
  const [isEditing, setEditing] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const wasEditing = useRef(false)
  const isOpen = isEditing || address === undefined
  useEffect(() => {
    // the focused form is gone
    if (wasEditing.current && !isOpen) heading.current?.focus()
    wasEditing.current = isOpen
  }, [isOpen])
  const submit = useSubmit(async (field) => {
    const entered = addressIn(field)
    if (remember && field('remember') === 'on') await remember(entered)
    onChange(entered)
    setEditing(false)
  })
  return (
    <section aria-labelledby="deliver-to" className="space-y-3">
      <h3 id="deliver-to" ref={heading} tabIndex={-1} className="text-lg outline-none">
        Deliver to
      </h3>
      {isOpen ? (
        <SubmitForm submit={submit} className="space-y-4">
          <AddressFields address={address ?? suggested} required />
          {remember && (
            <label className="flex items-center gap-3 text-sm">
              <input type="checkbox" name="remember" defaultChecked className="checkbox" />
              Remember this address for my next order
            </label>
          )}
          <BusyButton type="submit" busy={submit.busy} className="btn-outline btn-block">
            Deliver to this address
          </BusyButton>
        </SubmitForm>
      ) : (
        <>
          <p className="wrap-anywhere">
            <bdi>{address.name}</bdi>
            <br />
            <bdi>{formatAddress(address)}</bdi>
            <br />
            {address.phone}
          </p>
          <button
            type="button"
            onClick={() => setEditing(true)}
            className="btn btn-outline btn-block"
          >
            Change address
          </button>
        </>
      )}
    </section>
  )
}
