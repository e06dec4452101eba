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

/** Whether a parcel to this name is for somebody else than the buyer. */
function isOther(name = '', buyer = ''): boolean {
  const [one, other] = [name, buyer].map((text) => text.trim().toLowerCase())
  return one !== '' && one !== other
}

/** Whether the address is stored: of a present only where the buyer says so. */
function Remember({ isPresent }: { isPresent: boolean }) {
  const [chosen, setChosen] = useState<boolean>()
  return (
    <label className="flex items-center gap-3 text-sm">
      <input
        type="checkbox"
        name="remember"
        checked={chosen ?? !isPresent}
        onChange={({ target }) => setChosen(target.checked)}
        className="checkbox"
      />
      Remember this address for my next order
    </label>
  )
}

/** An address of the cart, or the form to enter it. */
export function AddressForm({ of, address, suggested, onChange, remember }: Props) {
  const { title, submit: submitText } = TEXTS[of]
  const titleId = useId()
  const [isEditing, setEditing] = useState(false)
  /** The name, once it is typed. */
  const [name, setName] = useState<string>()
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
    setName(undefined)
  })
  return (
    <section aria-labelledby={titleId} className="space-y-3">
      <h3 id={titleId} ref={heading} tabIndex={-1} className="text-lg outline-none">
        {title}
      </h3>
      {isOpen ? (
        <SubmitForm submit={submit} className="space-y-4">
          <AddressFields of={of} address={address ?? suggested} onName={setName} required />
          {remember && <Remember isPresent={isOther(name ?? address?.name, suggested.name)} />}
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
