/** The dialogs of the taxes. */
import { Day, Field, LongText, NumberField, Row, Select } from '#app/back-office/kit/fields.tsx'
import { ChangeDialog, FormDialog } from '#app/back-office/kit/form-dialog.tsx'
import { call } from '#app/shared/web/browser-call.ts'
import { type Fields, valuesOf } from '#app/shared/web/form/use-submit.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { countryName } from '#app/shipping/model.ts'
import { PlaceFields } from '#app/shipping/web/admin/place-fields.tsx'
import {
  type TaxClass,
  type TaxRate,
  type TaxSettings,
  taxAdminCalls,
} from '#app/taxes/admin-contract.ts'
import { classNames, EU_VAT, statesWithoutRate } from '#app/taxes/admin-model.ts'

/** Names a new class, or renames one. */
export const ClassDialog = ({ one }: { one?: TaxClass }) => (
  <FormDialog
    title={one ? `Rename ${one.name}` : 'New tax class'}
    action="Save class"
    failed="The tax class could not be saved."
    values={one}
    save={(field) => {
      const body = { name: field('name') }
      return one
        ? call(taxAdminCalls.updateTaxClass, { params: { id: one._id }, body })
        : call(taxAdminCalls.createTaxClass, { body })
    }}
  >
    <Field label="Name" name="name" required />
  </FormDialog>
)

/** The values of fields; null for those that are empty. */
const given = (field: Fields) => (name: string) => field(name) || null

type RateProps = { rate?: TaxRate; classes: TaxClass[] }

/** Creates or edits a rate. */
export const RateDialog = ({ rate, classes }: RateProps) => (
  <FormDialog
    title={rate ? 'Edit tax rate' : 'New tax rate'}
    action="Save rate"
    failed="The tax rate could not be saved."
    values={rate}
    save={(field) => {
      const body = {
        ...valuesOf(field, 'name', 'country'),
        ...valuesOf(given(field), 'taxClass', 'region', 'validFrom', 'validTo'),
        rate: Number(field('rate')),
      }
      return rate
        ? call(taxAdminCalls.updateTaxRate, { params: { id: rate._id }, body })
        : call(taxAdminCalls.createTaxRate, { body })
    }}
  >
    <Row>
      <Field label="Name" name="name" hint="On invoices, such as VAT." required />
      <NumberField label="Rate in percent" name="rate" unit="%" required step={0.001} />
      <PlaceFields none="Select a country" required />
      <Day label="First day" name="validFrom" />
      <Day
        label="Last day"
        name="validTo"
        hint={`Days in ${useShop().timeZone}. Empty: no limit.`}
      />
      <Select label="Tax class" name="taxClass" options={classNames(classes)} />
    </Row>
  </FormDialog>
)

/** Adds the standard VAT rates of the European Union, one after the other. */
export const EuRatesDialog = ({ rates }: { rates: TaxRate[] }) => {
  const states = statesWithoutRate(rates)
  return (
    <ChangeDialog
      title={`Add the standard VAT rates of ${states.length} EU countries?`}
      action="Add rates"
      failed="The rates could not all be added. Those in the list are."
      run={async () => {
        for (const country of states) {
          const body = { name: 'VAT', country, rate: EU_VAT.get(country) ?? 0 }
          await call(taxAdminCalls.createTaxRate, { body })
        }
        return { message: `${states.length} rates are added` }
      }}
    >
      {states.map((code) => `${countryName(code)} ${EU_VAT.get(code)} %`).join(', ')}. These are the
      rates that the European Commission published in August 2025: please check them. Reduced rates
      need a tax class of their own.
    </ChangeDialog>
  )
}

/** The value of the choice that shipping and the fees of payment methods are not taxed. */
const NOT_TAXED = 'none'

/** The tax settings: prices, shipping, the default place, and the seller on invoices. */
export const SettingsDialog = ({
  settings,
  classes,
}: {
  settings: TaxSettings
  classes: TaxClass[]
}) => (
  <FormDialog
    title="Tax settings"
    action="Save settings"
    failed="The tax settings could not be saved."
    values={{ ...settings, ...(!settings.taxesShipping && { shippingClass: NOT_TAXED }) }}
    save={(field) => {
      const { shippingClass, ...place } = valuesOf(
        given(field),
        'shippingClass',
        'country',
        'region',
      )
      const body = {
        ...valuesOf(field, 'sellerName', 'sellerAddress', 'sellerTaxNumber'),
        ...place,
        pricesIncludeTax: field('pricesIncludeTax') === 'true',
        taxesShipping: shippingClass !== NOT_TAXED,
        shippingClass: shippingClass === NOT_TAXED ? null : shippingClass,
      }
      return call(taxAdminCalls.saveTaxSettings, { body })
    }}
  >
    <Select
      label="Prices"
      name="pricesIncludeTax"
      options={{ true: 'Include tax', false: 'Exclude tax, which is added in the cart' }}
    />
    <Select
      label="Tax class of shipping and fees"
      name="shippingClass"
      options={{ ...classNames(classes), [NOT_TAXED]: 'Shipping and fees are not taxed' }}
    />
    <p className="text-base-content/75">
      Until the buyer's address is known, the cart estimates the tax of this place:
    </p>
    <Row>
      <PlaceFields none="None: no tax yet" />
      <Field
        label="Seller's name"
        name="sellerName"
        hint="On invoices. Empty: the name of the shop."
      />
      <Field label="Tax number" name="sellerTaxNumber" hint="Such as a GSTIN or VAT number." />
    </Row>
    <LongText label="Seller's address" name="sellerAddress" rows={3} />
  </FormDialog>
)
