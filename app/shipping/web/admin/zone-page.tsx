import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { ErrorPage, NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
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
  const title = zone ? `Shipping zone ${zone.name}` : 'New shipping zone'
  return (
    <section className="space-y-6">
      <PageHead title={title} hidden />
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h1 className="wrap-anywhere text-3xl">{title}</h1>
        {zone && <HistoryLink object={zone._id} />}
      </header>
      {/* a form keeps what it was opened with: a later load does not change it */}
      <ZoneEditor key={id} zone={zone} />
    </section>
  )
}
