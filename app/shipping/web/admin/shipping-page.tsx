import { Link } from 'react-router'
import { BackOfficePage } from '#app/back-office/page.tsx'
import { RowDialogs } from '#app/back-office/row-actions.tsx'
import { href } from '#app/shared/model/href.ts'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { type ShippingZone, shippingAdminCalls } from '#app/shipping/admin-contract.ts'
import type { Route } from './+types/shipping-page.ts'
import { ZoneCard } from './zone-card.tsx'

export const clientLoader = ({ context }: Route.ClientLoaderArgs) =>
  loadOrToast(
    context.get(callContext)(shippingAdminCalls.getZones),
    'The shipping zones could not be loaded.',
  )

/** All shipping zones with their rates. */
export default function ShippingPage({ loaderData }: Route.ComponentProps) {
  const last = useLastLoaded(loaderData)
  return (
    <BackOfficePage
      title="Shipping"
      tools={
        <Link
          to={href('/dashboard/admin/shipping/:zone', { zone: 'new' })}
          className="btn btn-primary"
        >
          New zone
        </Link>
      }
    >
      {!loaderData && <NotLoaded />}
      {last && (
        <RowDialogs>
          <Notes {...last} />
          {last.zones.map((zone) => (
            <ZoneCard key={zone._id} zone={zone} />
          ))}
        </RowDialogs>
      )}
    </BackOfficePage>
  )
}

type NotesProps = { zones: ShippingZone[]; productsWithoutWeight?: number | undefined }

/** The effect of the zones on customers. */
function Notes({ zones, productsWithoutWeight = 0 }: NotesProps) {
  if (zones.length === 0) {
    return (
      <p className="surface px-6 py-16 text-center text-lg">
        There are no shipping zones yet: the shop delivers everywhere, and shipping costs nothing.
      </p>
    )
  }
  const hasDefault = zones.some(({ isDefault }) => isDefault)
  return (
    <div className="space-y-2">
      {!hasDefault && (
        <p className="rounded-field bg-warning p-4 text-warning-content">
          There is no default zone: the shop delivers to the places below only.
        </p>
      )}
      {productsWithoutWeight > 0 && (
        <p className="rounded-field bg-warning p-4 text-warning-content">
          {productsWithoutWeight === 1
            ? '1 product that is shipped has no weight. It counts as 0 g.'
            : `${productsWithoutWeight} products that are shipped have no weight. They count as 0 g.`}
        </p>
      )}
    </div>
  )
}
