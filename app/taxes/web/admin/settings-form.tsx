import { useRevalidator } from 'react-router'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { SETTINGS_ID } from '#app/settings/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { Field } from '#app/shared/web/form/field.tsx'
import { Select } from '#app/shared/web/form/select.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { TextArea } from '#app/shared/web/form/text-area.tsx'
import { type Fields, useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { PlaceFields } from '#app/shipping/web/admin/place-fields.tsx'
import { type TaxClass, type TaxSettings, taxAdminCalls } from '#app/taxes/admin-contract.ts'
import { ClassSelect } from './class-select.tsx'

/** The value of the choice that shipping and the fees of payment methods are not taxed. */
const NOT_TAXED = 'none'

const settingsIn = (field: Fields): TaxSettings => {
  const shipping = field('shippingClass')
  return {
    pricesIncludeTax: field('pricesIncludeTax') === 'included',
    taxesShipping: shipping !== NOT_TAXED,
    shippingClass: shipping === NOT_TAXED ? null : shipping || null,
    country: field('country') || null,
    region: field('region') || null,
    sellerName: field('sellerName'),
    sellerAddress: field('sellerAddress'),
    sellerTaxNumber: field('sellerTaxNumber'),
  }
}

type Props = { settings: TaxSettings; classes: TaxClass[] }

/** The form of the tax settings: prices, shipping, the default place, and the seller on invoices. */
export function SettingsForm({ settings, classes }: Props) {
  const { revalidate } = useRevalidator()
  const submit = useSubmit(
    async (field) => {
      const body = settingsIn(field)
      const { message } = await call(taxAdminCalls.saveTaxSettings, { body })
      toast.success(message)
      // not after a failure: another admin's settings would replace what was entered
      await revalidate()
    },
    { failed: 'The tax settings could not be saved.', refused: revalidate, atFieldOnly: true },
  )
  return (
    <SubmitForm submit={submit} aria-label="Tax settings" className="surface space-y-6 p-4 sm:p-6">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-xl">Settings</h2>
        <HistoryLink object={SETTINGS_ID} />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label="Prices"
          name="pricesIncludeTax"
          defaultValue={settings.pricesIncludeTax ? 'included' : 'added'}
          options={[
            { value: 'included', label: 'Include tax' },
            { value: 'added', label: 'Exclude tax, which is added in the cart' },
          ]}
        />
        <ClassSelect
          label="Tax class of shipping and fees"
          name="shippingClass"
          classes={classes}
          chosen={settings.taxesShipping ? (settings.shippingClass ?? '') : NOT_TAXED}
          other={{ value: NOT_TAXED, label: 'Shipping and fees are not taxed' }}
        />
      </div>
      <fieldset className="grid gap-4 sm:grid-cols-2">
        <legend className="mb-2 font-medium">Place until the buyer's is known</legend>
        <PlaceFields place={settings} none="None: no tax yet" />
        <p className="text-base-content/75 text-sm sm:col-span-2">
          The cart estimates the tax for this place, and asks for the address before the payment. It
          does not ask where prices include tax and all rates are of this place.
        </p>
      </fieldset>
      <fieldset className="grid gap-4 sm:grid-cols-2">
        <legend className="mb-2 font-medium">Seller on invoices</legend>
        <Field
          label="Seller's name"
          name="sellerName"
          maxLength={200}
          defaultValue={settings.sellerName}
          hint="Empty: the name of the shop"
        />
        <Field
          label="Tax number"
          name="sellerTaxNumber"
          maxLength={100}
          defaultValue={settings.sellerTaxNumber}
          hint="Such as a GSTIN or VAT number"
        />
        <div className="sm:col-span-2">
          <TextArea
            label="Seller's address"
            name="sellerAddress"
            rows={3}
            maxLength={1000}
            defaultValue={settings.sellerAddress}
          />
        </div>
      </fieldset>
      <BusyButton type="submit" busy={submit.busy}>
        Save settings
      </BusyButton>
    </SubmitForm>
  )
}
