import { useId } from 'react'
import { DeleteDialog } from '#app/back-office/form-dialog.tsx'
import { RowActions } from '#app/back-office/row-actions.tsx'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import {
  type ShippingRate,
  type ShippingZone,
  shippingAdminCalls,
} from '#app/shipping/admin-contract.ts'
import { placeName, placeOf } from '#app/shipping/model.ts'
import { KIND_NAMES } from './rate-fields.tsx'

/** A zone in the list: where it delivers to, and what that costs. */
export function ZoneCard({ zone }: { zone: ShippingZone }) {
  const id = useId()
  const places = zone.places.map((place) => placeName(placeOf(place)))
  return (
    <article aria-labelledby={id} className="surface space-y-4 p-4 sm:p-6">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h2 id={id} className="wrap-anywhere text-xl">
          {zone.name}
        </h2>
        <RowActions
          object={zone._id}
          describedBy={id}
          edit={href('/dashboard/admin/shipping/:zone', { zone: zone._id })}
          remove={(close) => (
            <DeleteDialog
              title={`Delete ${zone.name}?`}
              remove={() => call(shippingAdminCalls.deleteZone, { params: { id: zone._id } })}
              failed="The shipping zone could not be deleted."
              onClose={close}
            >
              Its places are then delivered to by the default zone only, if there is one.
            </DeleteDialog>
          )}
        />
      </header>
      <p className="wrap-anywhere text-base-content/75">
        {zone.isDefault && <span className="badge badge-sm me-2">Default</span>}
        {[...places, ...(zone.isDefault ? ['every other place'] : [])].join(', ')}
      </p>
      <ul className="divide-y divide-base-300">
        {zone.rates.map((rate) => (
          <Rate key={rate._id} rate={rate} />
        ))}
      </ul>
    </article>
  )
}

function Rate({ rate }: { rate: ShippingRate }) {
  const money = useMoney()
  const { name, kind, price = 0, tiers = [], freeFrom } = rate
  const end = (upTo: number | null) => {
    if (upTo === null) return 'above'
    return `up to ${kind === 'weight' ? `${upTo} g` : money(upTo)}`
  }
  const prices = tiers.length
    ? tiers.map((tier) => `${end(tier.upTo)} ${money(tier.price)}`).join(', ')
    : money(price)
  return (
    <li className="wrap-anywhere flex flex-wrap justify-between gap-x-6 gap-y-1 py-2">
      <span>
        {name} <span className="text-base-content/75">({KIND_NAMES[kind].toLowerCase()})</span>
      </span>
      <span>
        {prices}
        {freeFrom !== undefined && `, free from ${money(freeFrom)}`}
      </span>
    </li>
  )
}
