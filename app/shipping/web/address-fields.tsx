import { useEffect, useState } from 'react'
import { call } from '#app/shared/web/browser-call.ts'
import { Field } from '#app/shared/web/form/field.tsx'
import { type Option, Select } from '#app/shared/web/form/select.tsx'
import type { Fields } from '#app/shared/web/form/use-submit.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { type DeliveryAddress, shippingCalls } from '../contract.ts'
import { countryName, namedCountries, regionsOf } from '../model.ts'

export const optionOf = ({ code, name }: { code: string; name: string }): Option => ({
  value: code,
  label: name,
})

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

/** The codes of the countries that the shop delivers to, its own first; of all where that cannot be loaded. */
function useDeliveryCountries(): string[] {
  const { locale } = useShop()
  const [countries, setCountries] = useState<string[]>([])
  useEffect(() => {
    call(shippingCalls.getCountries).then(
      (answer) => setCountries(answer.countries),
      () => setCountries(namedCountries(locale).map(({ code }) => code)),
    )
  }, [locale])
  return countries
}

type Props = {
  address: Partial<DeliveryAddress>
  /** Whether the browser requires the fields. */
  required?: boolean
}

/** The fields of a delivery address, as the browser fills them in by itself. */
export function AddressFields({ address, required = false }: Props) {
  const countries = useDeliveryCountries()
  const [chosen, setCountry] = useState(address.country)
  // one that is no longer delivered to stays chosen, and the quote says so
  const offered = chosen && !countries.includes(chosen) ? [chosen, ...countries] : countries
  const country = chosen ?? (offered.length === 1 ? offered[0] : '') ?? ''
  const text = (part: Exclude<keyof DeliveryAddress, 'country' | 'region'>, filledBy: string) => ({
    name: `delivery.${part}`,
    autoComplete: `shipping ${filledBy}`,
    defaultValue: address[part],
    required,
  })
  return (
    <div className="space-y-4">
      <Field label="Recipient" maxLength={200} {...text('name', 'name')} />
      <Field label="Street and number" maxLength={500} {...text('street', 'street-address')} />
      <Field
        label="Postal code"
        hint="If there is one."
        maxLength={20}
        {...text('postalCode', 'postal-code')}
        required={false}
      />
      <Field label="City" maxLength={200} {...text('city', 'address-level2')} />
      <Select
        label="Country"
        name="delivery.country"
        autoComplete="shipping country"
        value={country}
        onChange={({ target }) => setCountry(target.value)}
        required={required}
        options={[
          { value: '', label: 'Choose a country' },
          ...offered.map((code) => optionOf({ code, name: countryName(code) })),
        ]}
      />
      <Region key={country} country={country} region={address.region} required={required} />
      <Field label="Recipient's phone" type="tel" maxLength={50} {...text('phone', 'tel')} />
    </div>
  )
}

type RegionProps = { country: string; region: string | undefined; required: boolean }

/** The state or region: a choice in countries whose regions are known. */
function Region({ country, region, required }: RegionProps) {
  const regions = regionsOf(country)
  const field = {
    label: 'State or region',
    name: 'delivery.region',
    autoComplete: 'shipping address-level1',
  }
  if (regions.length === 0)
    return <Field {...field} hint="If there is one." maxLength={100} defaultValue={region} />
  return (
    <Select
      {...field}
      defaultValue={regions.find(({ code }) => code === region)?.code}
      required={required}
      options={[{ value: '', label: 'Choose a region' }, ...regions.map(optionOf)]}
    />
  )
}
