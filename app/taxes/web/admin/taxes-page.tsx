import { BackOfficePage } from '#app/back-office/page.tsx'
import { RowDialogs } from '#app/back-office/row-actions.tsx'
import type { Answer } from '#app/shared/contract/endpoint.ts'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { taxAdminCalls } from '#app/taxes/admin-contract.ts'
import type { Route } from './+types/taxes-page.ts'
import { ClassList } from './class-list.tsx'
import { RateList } from './rate-list.tsx'
import { SettingsForm } from './settings-form.tsx'
import { untaxedPlaces } from './untaxed-places.ts'

export const clientLoader = ({ context }: Route.ClientLoaderArgs) =>
  loadOrToast(context.get(callContext)(taxAdminCalls.getTaxes), 'The taxes could not be loaded.')

/** Tax settings, classes and rates. */
export default function TaxesPage({ loaderData }: Route.ComponentProps) {
  const last = useLastLoaded(loaderData)
  return (
    <BackOfficePage title="Taxes">
      {!loaderData && <NotLoaded />}
      {last && <Loaded {...last} />}
    </BackOfficePage>
  )
}

function Loaded({ settings, classes, rates }: Answer<typeof taxAdminCalls.getTaxes>) {
  const { timeZone } = useShop()
  // in Swedish, a day is written as in ISO 8601
  const today = new Date().toLocaleDateString('sv-SE', { timeZone })
  return (
    <>
      {untaxedPlaces(classes, rates, today).map((warning) => (
        <p key={warning} className="rounded-field bg-warning p-4 text-warning-content">
          {warning}
        </p>
      ))}
      <RowDialogs>
        <RateList rates={rates} classes={classes} />
        <ClassList classes={classes} />
      </RowDialogs>
      <SettingsForm key={JSON.stringify(settings)} settings={settings} classes={classes} />
    </>
  )
}
