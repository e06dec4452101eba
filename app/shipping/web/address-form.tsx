import { useEffect, useId, useRef, useState } from 'react'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import type { DeliveryAddress } from '../contract.ts'
import { formatAddress } from '../model.ts'
import { AddressFields, type AddressKind, addressIn } from './address-fields.tsx'

const TEXTS = {
  delivery: { title: 'Deliver to', submit: 'Deliver to this address' },
  billing: { title: 'Bill to', submit: 'Bill to this address' },
}

type Props = {
  of: AddressKind
  /** The chosen address; undefined before one is entered. */
  address: DeliveryAddress | undefined
  /** The known data of the buyer. */
  suggested: Partial<DeliveryAddress>
  onChange: (address: DeliveryAddress) => void
  /** Stores the address for the next order; undefined where it is not stored. */
  remember: ((address: DeliveryAddress) => Promise<void>) | undefined
}

/** An address of the cart, or the form to enter it. */
export function AddressForm({ of, address, suggested, onChange, remember }: Props) {
  const { title, submit: submitText } = TEXTS[of]
  const titleId = useId()
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
    const entered = addressIn(field, of)
    if (remember && field('remember') === 'on') await remember(entered)
    onChange(entered)
    setEditing(false)
  })
  return (
    <section aria-labelledby={titleId} className="space-y-3">
      <h3 id={titleId} ref={heading} tabIndex={-1} className="text-lg outline-none">
        {title}
      </h3>
      {isOpen ? (
        <SubmitForm submit={submit} className="space-y-4">
          <AddressFields of={of} address={address ?? suggested} required />
          {remember && (
            <label className="flex items-center gap-3 text-sm">
              <input type="checkbox" name="remember" defaultChecked className="checkbox" />
              Remember this address for my next order
            </label>
          )}
          <BusyButton type="submit" busy={submit.busy} className="btn-outline btn-block">
            {submitText}
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
