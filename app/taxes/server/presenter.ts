import { regionLabel } from '#app/shipping/model.ts'
import type { TaxSettings } from '../admin-contract.ts'

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

/** With the region as a merchant reads and edits it. */
export const presentPlace = <Placed extends { country: string | null; region: string | null }>(
  placed: Placed,
): Placed => {
  const { country, region } = placed
  if (country === null || region === null) return placed
  return { ...placed, region: regionLabel({ country, region }) }
}
