import { useState } from 'react'
import { Field } from '#app/shared/web/form/field.tsx'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import type { Fields } from '#app/shared/web/form/use-submit.ts'
import type { DeliveryAddress } from '../contract.ts'
import { namedCountries, regionsOf } from '../model.ts'

const COUNTRIES = namedCountries()

/** The address in a form with `AddressFields`, whose names are paths in the body of the call. */
export const addressIn = (field: Fields): DeliveryAddress => ({
  name: field('delivery.name').trim(),
  street: field('delivery.street').trim(),
  city: field('delivery.city').trim(),
  region: field('delivery.region').trim(),
  postalCode: field('delivery.postalCode').trim(),
  country: field('delivery.country'),
  phone: field('delivery.phone').trim(),
})

type Props = {
  address: Partial<DeliveryAddress>
  /** Whether the browser requires the fields. */
  required?: boolean
}

/** The fields of a delivery address, as the browser fills them in by itself. */
export function AddressFields({ address, required = false }: Props) {
  const [country, setCountry] = useState(address.country ?? '')
  return (
    <div className="space-y-4">
      <Field
        label="Recipient"
        name="delivery.name"
        autoComplete="shipping name"
        maxLength={200}
        defaultValue={address.name}
        required={required}
      />
      <Field
        label="Street and number"
        name="delivery.street"
        autoComplete="shipping street-address"
        maxLength={500}
        defaultValue={address.street}
        required={required}
      />
      <Field
        label="Postal code"
        hint="If there is one."
        name="delivery.postalCode"
        autoComplete="shipping postal-code"
        maxLength={20}
        defaultValue={address.postalCode}
      />
      <Field
        label="City"
        name="delivery.city"
        autoComplete="shipping address-level2"
        maxLength={200}
        defaultValue={address.city}
        required={required}
      />
      <Labelled label="Country" name="delivery.country">
        {(id, problem) => (
          <select
            {...problem}
            id={id}
            name="delivery.country"
            autoComplete="shipping country"
            value={country}
            onChange={({ target }) => setCountry(target.value)}
            required={required}
            className="input w-full appearance-auto bg-base-200"
          >
            <option value="">Choose a country</option>
            {COUNTRIES.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Region key={country} country={country} region={address.region} required={required} />
      <Field
        label="Recipient's phone"
        name="delivery.phone"
        type="tel"
        autoComplete="shipping tel"
        maxLength={50}
        defaultValue={address.phone}
        required={required}
      />
    </div>
  )
}

type RegionProps = { country: string; region: string | undefined; required: boolean }

/** The state or region: a choice in countries whose regions are known. */
function Region({ country, region, required }: RegionProps) {
  const regions = regionsOf(country)
  if (regions.length === 0) {
    return (
      <Field
        label="State or region"
        hint="If there is one."
        name="delivery.region"
        autoComplete="shipping address-level1"
        maxLength={100}
        defaultValue={region}
      />
    )
  }
  const isKnown = regions.some(({ code }) => code === region)
  return (
    <Labelled label="State or region" name="delivery.region">
      {(id, problem) => (
        <select
          {...problem}
          id={id}
          name="delivery.region"
          autoComplete="shipping address-level1"
          defaultValue={isKnown ? region : ''}
          required={required}
          className="input w-full appearance-auto bg-base-200"
        >
          <option value="">Choose a region</option>
          {regions.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}
