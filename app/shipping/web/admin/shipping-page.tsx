import { ItemActions, RowDialogs } from '#app/back-office/kit/dialog-button.tsx'
import { Card, Entries, Page } from '#app/back-office/kit/page.tsx'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { useMoney } from '#app/shared/web/use-money.ts'
import {
  type ShippingRate,
  type ShippingZone,
  shippingAdminCalls,
} from '#app/shipping/admin-contract.ts'
import { placeName, placeOf } from '#app/shipping/model.ts'
import type { Route } from './+types/shipping-page.ts'
import { KIND_NAMES, loadZones } from './zone-form.ts'

export const clientLoader = loadZones

/** All shipping zones with their rates. */
export default function ShippingPage({ loaderData }: Route.ComponentProps) {
  const last = useLastLoaded(loaderData)
  return (
    <Page
      title="Shipping"
      tools={
        <a
          href={href('/dashboard/admin/shipping/:zone', { zone: 'new' })}
          className="btn btn-primary"
        >
          New zone
        </a>
      }
    >
      {!loaderData && <NotLoaded />}
      {last && (
        <RowDialogs>
          {effectsOf(last).map((effect) => (
            <p key={effect}>{effect}</p>
          ))}
          {last.zones.map((zone) => (
            <Zone key={zone._id} zone={zone} />
          ))}
        </RowDialogs>
      )}
    </Page>
  )
}

type Zones = { zones: ShippingZone[]; productsWithoutWeight?: number | undefined }

/** The effects of the zones on customers. */
function effectsOf({ zones, productsWithoutWeight = 0 }: Zones): string[] {
  if (zones.length === 0)
    return [
      'There are no shipping zones yet: the shop delivers everywhere, and shipping costs nothing.',
    ]
  const weightless =
    productsWithoutWeight === 1
      ? '1 product that is shipped has no weight. It counts as 0 g.'
      : `${productsWithoutWeight} products that are shipped have no weight. They count as 0 g.`
  return [
    ...(zones.some(({ isDefault }) => isDefault)
      ? []
      : ['The shop delivers to the places below only: there is no default zone.']),
    ...(productsWithoutWeight > 0 ? [weightless] : []),
  ]
}

/** A zone: where it delivers to, and what that costs. */
function Zone({ zone: { _id, name, isDefault, places, rates } }: { zone: ShippingZone }) {
  const money = useMoney()
  const named = places.map((place) => placeName(placeOf(place)))
  return (
    <Card
      title={name}
      tools={
        <ItemActions
          object={_id}
          name={name}
          edit={href('/dashboard/admin/shipping/:zone', { zone: _id })}
          remove={() => call(shippingAdminCalls.deleteZone, { params: { id: _id } })}
          warning="Its places are then delivered to by the default zone only, if there is one."
          failed="The shipping zone could not be deleted."
        />
      }
    >
      <p className="wrap-anywhere text-base-content/75">
        {isDefault && <span className="badge badge-sm me-2">Default</span>}
        {[...named, ...(isDefault ? ['every other place'] : [])].join(', ')}
      </p>
      <Entries
        entries={rates.map((rate) => ({
          key: rate.name,
          text: `${rate.name} (${KIND_NAMES[rate.kind].toLowerCase()})`,
          end: pricesOf(rate, money),
        }))}
      />
    </Card>
  )
}

function pricesOf(rate: ShippingRate, money: (amount: number) => string): string {
  const { kind, price = 0, tiers = [], freeFrom } = rate
  const end = (upTo: number | null) => {
    if (upTo === null) return 'above'
    return `up to ${kind === 'weight' ? `${upTo} g` : money(upTo)}`
  }
  const prices =
    tiers.length > 0
      ? tiers.map((tier) => `${end(tier.upTo)} ${money(tier.price)}`)
      : [money(price)]
  return [...prices, ...(freeFrom === undefined ? [] : [`free from ${money(freeFrom)}`])].join(', ')
}
