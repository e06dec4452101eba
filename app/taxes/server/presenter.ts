import { writtenRegion } from '#app/shipping/model.ts'
import type { Row } from '#db/schema.ts'
import type { TaxClass, TaxRate, TaxSettings } from '../admin-contract.ts'

export const presentClass = ({ id, name }: Pick<Row<'tax_classes'>, 'id' | 'name'>): TaxClass => ({
  _id: id,
  name,
})

/** A region as a merchant reads and edits it. */
const presentRegion = (country: string | null, region: string | null) =>
  country === null || region === null ? region : writtenRegion({ country, region })

export const presentRate = (row: Row<'tax_rates'>): TaxRate => ({
  _id: row.id,
  name: row.name,
  taxClass: row.class_id,
  country: row.country,
  region: presentRegion(row.country, row.region),
  rate: row.rate / 1000,
  validFrom: row.valid_from,
  validTo: row.valid_to,
})

/** Before an admin has saved any: prices include tax, and no place has a rate. */
export const DEFAULTS: TaxSettings = {
  pricesIncludeTax: true,
  taxesShipping: true,
  shippingClass: null,
  country: null,
  region: null,
  sellerName: '',
  sellerAddress: '',
  sellerTaxNumber: '',
}

/** The settings as they are stored, but with the region as a merchant reads it. */
export const presentSettings = (settings: TaxSettings): TaxSettings => ({
  ...settings,
  region: presentRegion(settings.country, settings.region),
})
