import { v7 as uuidv7 } from 'uuid'
import type { TaxSettings } from '#app/taxes/admin-contract.ts'
import { taxClassKey } from '#app/taxes/server/service.ts'
import type { Database, Row } from '#db/schema.ts'

/** Tax settings that add tax in India. */
export const TAX_SETTINGS: TaxSettings = {
  pricesIncludeTax: false,
  taxesShipping: true,
  shippingClass: null,
  country: 'IN',
  region: null,
  sellerName: 'Haat Ltd',
  sellerAddress: '1 Market Lane, Pune',
  sellerTaxNumber: '29ABCDE1234F1Z5',
}

/** Inserts a tax class into the database. */
export const addTaxClass = (db: Database, name: string) =>
  db
    .insertInto('tax_classes')
    .values({ id: uuidv7(), name, name_key: taxClassKey(name) })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Inserts a tax rate into the database: by default GST 18 % in India, always. */
export const addTaxRate = (db: Database, facts: Partial<Row<'tax_rates'>> = {}) =>
  db
    .insertInto('tax_rates')
    .values({
      id: uuidv7(),
      class_id: null,
      country: 'IN',
      region: null,
      name: 'GST',
      rate: 18_000,
      valid_from: null,
      valid_to: null,
      ...facts,
    })
    .returning(['id', 'class_id', 'country', 'name', 'rate'])
    .executeTakeFirstOrThrow()
