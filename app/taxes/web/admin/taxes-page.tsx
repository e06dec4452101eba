import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { DialogButton, ItemActions, RowDialogs } from '#app/back-office/kit/dialog-button.tsx'
import { Card, Columns, Entries, Facts, Page } from '#app/back-office/kit/page.tsx'
import { type Column, Table } from '#app/back-office/kit/table.client.tsx'
import { today } from '#app/back-office/kit/time.tsx'
import { SETTINGS_ID } from '#app/settings/admin-contract.ts'
import type { Answer } from '#app/shared/contract/endpoint.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { loadOrToast } from '#app/shared/web/load.ts'
import { placeName } from '#app/shipping/model.ts'
import {
  STANDARD_CLASS,
  type TaxClass,
  type TaxRate,
  taxAdminCalls,
} from '#app/taxes/admin-contract.ts'
import { classNames, statesWithoutRate, untaxedPlaces } from '#app/taxes/admin-model.ts'
import type { Route } from './+types/taxes-page.ts'
import { ClassDialog, EuRatesDialog, RateDialog, SettingsDialog } from './dialogs.tsx'

export const clientLoader = () =>
  loadOrToast(call(taxAdminCalls.getTaxes), 'The taxes could not be loaded.')

type Taxes = Answer<typeof taxAdminCalls.getTaxes>

/** Tax rates, classes and settings. */
export default function TaxesPage({ loaderData }: Route.ComponentProps) {
  const last = useLastLoaded(loaderData)
  return (
    <Page title="Taxes">
      {!loaderData && <NotLoaded />}
      {last && (
        <RowDialogs>
          <Notes {...last} />
          <Columns
            side={
              <>
                <Settings {...last} />
                <Classes {...last} />
              </>
            }
          >
            <Rates {...last} />
          </Columns>
        </RowDialogs>
      )}
    </Page>
  )
}

/** Notes on goods and places that no rate taxes. */
function Notes(taxes: Taxes) {
  const { settings, classes, rates } = taxes
  return (
    <>
      {untaxedPlaces(classes, rates, today()).map((warning) => (
        <p key={warning} className="wrap-anywhere">
          {warning}
        </p>
      ))}
      {settings.country === null && rates.length > 0 && (
        <p>
          Buyers who have not given an address yet see no tax.{' '}
          <DialogButton dialog={<SettingsDialog {...taxes} />}>
            Choose a place for them
          </DialogButton>
        </p>
      )}
    </>
  )
}

const titleOf = ({ name, rate }: TaxRate) => `${name} ${rate} %`

function daysOf({ validFrom, validTo }: TaxRate): string {
  if (validFrom && validTo) return `${validFrom} to ${validTo}`
  if (validFrom) return `from ${validFrom}`
  return validTo ? `until ${validTo}` : 'always'
}

const columnsOf = (classes: TaxClass[]): Column<TaxRate>[] => [
  { header: 'Rate', phone: 'title', csv: titleOf },
  { header: 'Place', csv: placeName },
  { header: 'Class', csv: ({ taxClass }) => classNames(classes)[taxClass ?? ''] ?? '' },
  { header: 'Valid', csv: daysOf },
  {
    header: 'Actions',
    align: 'end',
    phone: 'break',
    cell: (rate) => (
      <ItemActions
        object={rate._id}
        name={titleOf(rate)}
        edit={<RateDialog rate={rate} classes={classes} />}
        remove={() => call(taxAdminCalls.deleteTaxRate, { params: { id: rate._id } })}
        warning="Orders that were paid keep their tax. To end a rate on a day, edit it and enter its last day."
        failed="The tax rate could not be deleted."
      />
    ),
  },
]

const Rates = ({ rates, classes }: Taxes) => (
  <Card
    title="Rates"
    tools={
      <span className="flex gap-2">
        {statesWithoutRate(rates).length > 0 && (
          <DialogButton dialog={<EuRatesDialog rates={rates} />}>Add EU rates</DialogButton>
        )}
        <DialogButton className="btn btn-sm btn-primary" dialog={<RateDialog classes={classes} />}>
          Add a rate
        </DialogButton>
      </span>
    }
  >
    {rates.length === 0 ? (
      <p>There are no rates yet: nothing is taxed.</p>
    ) : (
      <Table label="Tax rates" items={rates} columns={columnsOf(classes)} nameOf={titleOf} />
    )}
  </Card>
)

function Settings(taxes: Taxes) {
  const { settings, classes } = taxes
  const { pricesIncludeTax, taxesShipping, shippingClass, country, region } = settings
  const ofShipping = classNames(classes)[shippingClass ?? ''] ?? ''
  return (
    <Card
      title="Settings"
      tools={
        <span className="flex items-center gap-3">
          <HistoryLink object={SETTINGS_ID} />
          <DialogButton dialog={<SettingsDialog {...taxes} />}>Change</DialogButton>
        </span>
      }
    >
      <Facts
        facts={[
          ['Prices', pricesIncludeTax ? 'Include tax' : 'Exclude tax'],
          ['Shipping, fees', taxesShipping ? ofShipping : 'Not taxed'],
          ['Without address', country === null ? 'No tax yet' : placeName({ country, region })],
          ['Seller', settings.sellerName || 'The name of the shop'],
          ['Address', settings.sellerAddress || 'None'],
          ['Tax number', settings.sellerTaxNumber || 'None'],
        ]}
      />
    </Card>
  )
}

const Classes = ({ classes }: Taxes) => (
  <Card title="Classes" tools={<DialogButton dialog={<ClassDialog />}>Add a class</DialogButton>}>
    <p className="text-base-content/75">
      For products with rates of their own. The others are {STANDARD_CLASS}.
    </p>
    <Entries
      entries={classes.map((one) => ({
        key: one._id,
        text: one.name,
        end: (
          <ItemActions
            object={one._id}
            name={one.name}
            editLabel="Rename"
            edit={<ClassDialog one={one} />}
            remove={() => call(taxAdminCalls.deleteTaxClass, { params: { id: one._id } })}
            warning="A tax class can only be deleted while no product and no rate has it."
            failed="The tax class could not be deleted."
          />
        ),
      }))}
    />
  </Card>
)
