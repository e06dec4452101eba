import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { BackOfficePage } from '#app/back-office/page.tsx'
import { ErrorPage, NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { shippingAdminCalls } from '#app/shipping/admin-contract.ts'
import type { Route } from './+types/zone-page.ts'
import { ZoneEditor } from './zone-editor.tsx'

export const clientLoader = ({ context }: Route.ClientLoaderArgs) =>
  loadOrToast(
    context.get(callContext)(shippingAdminCalls.getZones),
    'The shipping zones could not be loaded.',
  )

/** Creates a shipping zone (`new`), or edits one. */
export default function ZonePage({ loaderData, params: { zone: id } }: Route.ComponentProps) {
  const zones = useLastLoaded(loaderData)?.zones
  if (!zones) return <NotLoaded />
  const zone = zones.find(({ _id }) => _id === id)
  if (!zone && id !== 'new') return <ErrorPage status={404} />
  return (
    <BackOfficePage
      title={zone ? `Shipping zone ${zone.name}` : 'New shipping zone'}
      tools={zone && <HistoryLink object={zone._id} />}
    >
      {/* a form keeps what it was opened with: a later load does not change it */}
      <ZoneEditor key={id} zone={zone} />
    </BackOfficePage>
  )
}
