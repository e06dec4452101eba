/** Taxes: rates by class, place and day, and what quotes and invoices need of them. */
import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '#app/shared/server/actor/actor.ts'
import {
  isExclusionViolation,
  isForeignKeyViolation,
  isUniqueViolation,
} from '#app/shared/server/database-errors.ts'
import { conflict, invalid, notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import {
  insertDocument,
  onlyKnown,
  selectDocument,
  updateDocument,
} from '#app/shared/server/settings/document-store.ts'
import { requirePlace } from '#app/shipping/server/service.ts'
import type { Database, Row } from '#db/schema.ts'
import {
  STANDARD_CLASS,
  type TaxClass,
  type TaxRate,
  type TaxRateForm,
  type TaxSettings,
} from '../admin-contract.ts'
import { DEFAULTS, presentPlace } from './presenter.ts'
import {
  deleteClass,
  deleteRate,
  insertClass,
  insertRate,
  NAME_TAKEN,
  OVERLAP,
  selectClasses,
  selectOverlapping,
  selectUses,
  updateClass,
  updateRate,
} from './store.ts'
import { labelOf } from './tax.ts'

/** The normalized name of a class for comparison: trimmed, case-folded, runs of blanks collapsed. */
export const taxClassKey = (name: string) =>
  name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()

const STANDARD_KEY = taxClassKey(STANDARD_CLASS)

/** The ids of all classes by normalized name; null is the id of Standard. */
export async function taxClassIds(db: Database): Promise<Map<string, string | null>> {
  const classes = await selectClasses(db)
  const named = classes.map(({ _id, name }): [string, string] => [taxClassKey(name), _id])
  return new Map<string, string | null>([[STANDARD_KEY, null], ...named])
}

/** The tax settings; the region as it is compared. */
export const taxSettingsOf = async (db: Database): Promise<TaxSettings> => ({
  ...DEFAULTS,
  ...(await selectDocument(db, 'taxes'))?.value,
})

/** The seller as invoices print it; an empty name is the shop's. */
export async function selectSeller(db: Database) {
  const { sellerName, sellerAddress, sellerTaxNumber } = await taxSettingsOf(db)
  return { name: sellerName, address: sellerAddress, taxNumber: sellerTaxNumber }
}

const noSuchClass = () => notFound('There is no such tax class.')
const noSuchRate = () => notFound('There is no such tax rate.')

/**
 * Creates a class, or renames the one with this id. Throws `not_found`, and `conflict` when another class
 * has the normalized name.
 */
export async function saveTaxClass(
  db: Database,
  actor: Actor,
  { id, name: given }: { id?: string; name: string },
): Promise<TaxClass> {
  const name = given.trim()
  const name_key = taxClassKey(name)
  const taken = () => conflict(`A tax class named ${name} already exists.`, 'name')
  if (name_key === STANDARD_KEY) throw taken()
  const row = { id: id ?? uuidv7(), name, name_key }
  const saved = await inTransaction(db, actor, (tx) =>
    id === undefined ? insertClass(tx, row) : updateClass(tx, row),
  ).catch((error) => {
    throw isUniqueViolation(error, NAME_TAKEN) ? taken() : error
  })
  if (!saved) throw noSuchClass()
  return saved
}

const list = new Intl.ListFormat('en')

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Deletes a class. Throws `not_found`, or `conflict` with what uses it. */
export async function removeTaxClass(db: Database, actor: Actor, id: string): Promise<void> {
  try {
    await inTransaction(db, actor, async (tx) => {
      if (!(await deleteClass(tx, id))) throw noSuchClass()
    })
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    const { products, rates, shipping } = await selectUses(db, id)
    const uses = [
      ...(products > 0 ? [counted(products, 'product')] : []),
      ...(rates > 0 ? [counted(rates, 'rate')] : []),
      ...(shipping ? ['shipping'] : []),
    ]
    throw conflict(`This tax class is used by ${list.format(uses)}.`)
  }
}

/** A country and its region as they are compared. Throws `invalid` for one that there is not. */
const placeIn = (country: string, region: string | null | undefined) =>
  requirePlace({ country, region: region ?? '' }, '')

const columnsOf = (form: TaxRateForm) => ({
  class_id: form.taxClass ?? null,
  ...placeIn(form.country, form.region),
  name: form.name.trim(),
  rate: Math.round(form.rate * 1000),
  valid_from: form.validFrom ?? null,
  valid_to: form.validTo ?? null,
})

function daysOf({ valid_from, valid_to }: Pick<Row<'tax_rates'>, 'valid_from' | 'valid_to'>) {
  if (valid_from && valid_to) return `from ${valid_from} to ${valid_to}`
  if (valid_from) return `from ${valid_from}`
  return valid_to ? `until ${valid_to}` : 'without a time limit'
}

const CLASS_GONE = 'This tax class does not exist any more. Please choose another.'

/** The failure of a rate that violates a constraint; any other error as it is. */
async function failureOf(
  error: unknown,
  db: Database,
  row: ReturnType<typeof columnsOf> & { id: string },
) {
  if (isForeignKeyViolation(error)) return invalid(CLASS_GONE, 'taxClass')
  if (!isExclusionViolation(error, OVERLAP)) return error
  const other = await selectOverlapping(db, row)
  return conflict(
    other
      ? `${labelOf(other)} already applies to this class and place ${daysOf(other)}.`
      : 'Another rate already applies to this class and place on some of these days.',
    'validFrom',
  )
}

/**
 * Creates a rate, or replaces the one with this id. Throws `not_found`, `invalid` for a country, region or
 * class that there is not, and `conflict` when another rate applies to its class and place on one of its days.
 */
export async function saveTaxRate(
  db: Database,
  actor: Actor,
  { id, form }: { id?: string; form: TaxRateForm },
): Promise<TaxRate> {
  const row = { id: id ?? uuidv7(), ...columnsOf(form) }
  const saved = await inTransaction(db, actor, (tx) =>
    id === undefined ? insertRate(tx, row) : updateRate(tx, row),
  ).catch(async (error) => {
    throw await failureOf(error, db, row)
  })
  if (!saved) throw noSuchRate()
  return presentPlace(saved)
}

/** Deletes a rate; orders keep their tax. Throws `not_found`. */
export const removeTaxRate = (db: Database, actor: Actor, id: string): Promise<void> =>
  inTransaction(db, actor, async (tx) => {
    if (!(await deleteRate(tx, id))) throw noSuchRate()
  })

/** Replaces the settings. Throws `invalid` for a country or class that there is not. */
export async function saveTaxSettings(db: Database, actor: Actor, settings: TaxSettings) {
  const { country, region } = settings
  const place = country === null ? { country, region: null } : placeIn(country, region)
  const stored: TaxSettings = {
    ...onlyKnown(DEFAULTS, settings),
    ...place,
    shippingClass: settings.shippingClass?.toLowerCase() ?? null,
    sellerName: settings.sellerName.trim(),
    sellerAddress: settings.sellerAddress.trim(),
    sellerTaxNumber: settings.sellerTaxNumber.trim(),
  }
  try {
    await inTransaction(db, actor, async (tx) => {
      await insertDocument(tx, 'taxes', stored)
      await updateDocument(tx, 'taxes', stored)
    })
  } catch (error) {
    if (isForeignKeyViolation(error)) throw invalid(CLASS_GONE, 'shippingClass')
    throw error
  }
}
