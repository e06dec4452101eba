import type { Delivery } from '../contract.ts'

type Props = {
  delivery: Delivery
  /** Notes that the buyer's profile has changed since. */
  withChange?: boolean
}

/** The buyer and the delivery address at the time of payment; empty for a closed account. */
export function DeliveryFacts({ delivery, withChange = false }: Props) {
  const { name, email, phone, address, isChanged } = delivery
  const facts = [email, phone].filter((fact) => fact !== '')
  if (address === '' && facts.length === 0) return null
  return (
    <section
      aria-label="Delivery"
      className="wrap-anywhere border-base-300 border-t p-4 text-sm sm:px-6"
    >
      <p>
        <span className="text-base-content/75">Delivery to</span> {name}, {address}
      </p>
      <p className="text-base-content/75">{facts.join(' · ')}</p>
      {withChange && isChanged && (
        <p className="mt-1">
          <span className="badge badge-warning badge-sm me-2">Note</span>
          The buyer has changed e-mail, phone or address since. This order keeps the old ones.
        </p>
      )}
    </section>
  )
}
