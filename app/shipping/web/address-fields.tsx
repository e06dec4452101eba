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

/** Where the parcel goes, or who pays. */
export type AddressKind = 'delivery' | 'billing'

/** How the browser fills the fields in, and the labels that differ. */
const KINDS = {
  delivery: { filledBy: 'shipping', name: 'Recipient', phone: "Recipient's phone" },
  billing: { filledBy: 'billing', name: 'Name or company', phone: 'Phone' },
}

/** The address in a form with `AddressFields`, whose names are paths in the body of the call. */
export const addressIn = (field: Fields, of: AddressKind = 'delivery'): DeliveryAddress => ({
  name: field(`${of}.name`).trim(),
  street: field(`${of}.street`).trim(),
  city: field(`${of}.city`).trim(),
  region: field(`${of}.region`).trim(),
  postalCode: field(`${of}.postalCode`).trim(),
  country: field(`${of}.country`),
  phone: field(`${of}.phone`).trim(),
})

/**
 * The codes of the countries that the shop delivers to, its own first; of all for a bill, and where they cannot
 * be loaded.
 */
function useCountries(of: AddressKind): string[] {
  const { locale } = useShop()
  const [countries, setCountries] = useState<string[]>([])
  useEffect(() => {
    const setAll = () => setCountries(namedCountries(locale).map(({ code }) => code))
    if (of === 'billing') return setAll()
    call(shippingCalls.getCountries).then((answer) => setCountries(answer.countries), setAll)
  }, [locale, of])
  return countries
}

type Props = {
  address: Partial<DeliveryAddress>
  of?: AddressKind
  /** Whether the browser requires the fields. */
  required?: boolean
  /** Called with the name while it is typed. */
  onName?: (name: string) => void
}

/** The fields of an address, as the browser fills them in by itself. */
export function AddressFields({ address, of = 'delivery', required = false, onName }: Props) {
  const { filledBy, ...labels } = KINDS[of]
  const countries = useCountries(of)
  const [chosen, setCountry] = useState(address.country)
  // one that is no longer delivered to stays chosen, and the quote says so
  const offered = chosen && !countries.includes(chosen) ? [chosen, ...countries] : countries
  const country = chosen ?? (offered.length === 1 ? offered[0] : '') ?? ''
  const text = (part: Exclude<keyof DeliveryAddress, 'country' | 'region'>, detail: string) => ({
    name: `${of}.${part}`,
    autoComplete: `${filledBy} ${detail}`,
    defaultValue: address[part],
    required,
  })
  return (
    <div className="space-y-4">
      <Field
        label={labels.name}
        maxLength={200}
        {...text('name', 'name')}
        onChange={({ target }) => onName?.(target.value)}
      />
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
        name={`${of}.country`}
        autoComplete={`${filledBy} country`}
        value={country}
        onChange={({ target }) => setCountry(target.value)}
        required={required}
        options={[
          { value: '', label: 'Choose a country' },
          ...offered.map((code) => optionOf({ code, name: countryName(code) })),
        ]}
      />
      <Region key={country} of={of} country={country} region={address.region} required={required} />
      <Field label={labels.phone} type="tel" maxLength={50} {...text('phone', 'tel')} />
    </div>
  )
}

type RegionProps = {
  of: AddressKind
  country: string
  region: string | undefined
  required: boolean
}

/** The state or region: a choice in countries whose regions are known. */
function Region({ of, country, region, required }: RegionProps) {
  const regions = regionsOf(country)
  const field = {
    label: 'State or region',
    name: `${of}.region`,
    autoComplete: `${KINDS[of].filledBy} address-level1`,
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
