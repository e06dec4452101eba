/** The back office's calls for taxes: settings, classes of products, and rates by place. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import type { FieldProblem } from '../shared/contract/failure.ts'
import {
  Done,
  FilledName,
  GivenDay,
  Id,
  isBefore,
  Nullable,
  stripped,
  Text,
} from '../shared/contract/fields.ts'
import { Country, Region } from '../shipping/contract.ts'

/** The class of products and rates that have no other; it always exists. */
export const STANDARD_CLASS = 'Standard'

/** Shown when the classes cannot be loaded for a form. */
export const TAX_CLASSES_FAILED = 'The tax classes could not be loaded.'

const ClassId = Nullable({ ...Id, description: 'null: Standard' })

const Naming = Type.Object({ name: FilledName(100) })
export const TaxClass = Type.Object({ _id: Id, ...Naming.properties })
export type TaxClass = Static<typeof TaxClass>

/** The maximum length of a rate's name, such as GST. */
export const MAX_RATE_NAME = 50

export const TaxRateForm = Type.Object({
  name: FilledName(MAX_RATE_NAME),
  taxClass: Type.Optional(ClassId),
  country: Country,
  region: Type.Optional(Nullable(Region)),
  rate: Type.Number({ minimum: 0, maximum: 100, maxDecimals: 3, description: 'In percent' }),
  validFrom: Type.Optional(Nullable({ ...GivenDay, description: 'First day' })),
  validTo: Type.Optional(Nullable({ ...GivenDay, description: 'Last day' })),
})
export type TaxRateForm = Static<typeof TaxRateForm>

/** The rules of a rate that a schema cannot express. */
const rateProblems = ({ validFrom, validTo }: Partial<TaxRateForm>): FieldProblem[] =>
  isBefore(validTo, validFrom)
    ? [{ field: 'validTo', message: 'validTo must not be before the first day.' }]
    : []

export const TaxRate = Type.Object({ _id: Id, ...Type.Required(TaxRateForm).properties })
export type TaxRate = Static<typeof TaxRate>

const Settings = Type.Object({
  pricesIncludeTax: Type.Boolean(),
  taxesShipping: Type.Boolean(),
  shippingClass: ClassId,
  country: Nullable({
    ...Country,
    description: 'Where a quote without an address is taxed; null: not at all',
  }),
  region: Nullable(Region),
  sellerName: stripped(
    'name',
    Text({ maxLength: 200, description: 'On invoices; empty: the name of the shop' }),
  ),
  sellerAddress: stripped('name', Text({ maxLength: 1000 })),
  sellerTaxNumber: stripped(
    'code',
    Text({ maxLength: 100, description: 'Such as a GSTIN or VAT number' }),
  ),
})
export type TaxSettings = Static<typeof Settings>

const ById = Type.Object({ id: Id })
const SavedClass = Type.Object({ ...Done.properties, taxClass: TaxClass })
const SavedRate = Type.Object({ ...Done.properties, rate: TaxRate })

export const taxAdminCalls = {
  getTaxes: endpoint({
    method: 'GET',
    path: '/tax',
    access: 'admin',
    summary: 'The tax settings, classes and rates',
    answer: Type.Object({
      settings: Settings,
      classes: Type.Array(TaxClass),
      rates: Type.Array(TaxRate),
    }),
  }),
  getTaxClasses: endpoint({
    method: 'GET',
    path: '/tax/classes',
    access: 'admin',
    summary: 'The tax classes beside Standard, by name',
    answer: Type.Array(TaxClass),
  }),
  saveTaxSettings: endpoint({
    method: 'PUT',
    path: '/tax/settings',
    access: 'admin',
    summary: 'Replaces the tax settings',
    body: Settings,
    answer: Done,
  }),
  createTaxClass: endpoint({
    method: 'POST',
    path: '/tax/classes',
    access: 'admin',
    summary: 'Adds a tax class; names are compared without case and blanks',
    body: Naming,
    answer: SavedClass,
    status: 201,
  }),
  updateTaxClass: endpoint({
    method: 'PUT',
    path: '/tax/classes/:id',
    access: 'admin',
    summary: 'Renames a tax class',
    params: ById,
    body: Naming,
    answer: SavedClass,
  }),
  deleteTaxClass: endpoint({
    method: 'DELETE',
    path: '/tax/classes/:id',
    access: 'admin',
    summary: 'Deletes a tax class that nothing uses',
    params: ById,
    answer: Done,
  }),
  createTaxRate: endpoint({
    method: 'POST',
    path: '/tax/rates',
    access: 'admin',
    summary: 'Adds a rate; one may apply to a class, a place and a day',
    body: TaxRateForm,
    rules: rateProblems,
    answer: SavedRate,
    status: 201,
  }),
  updateTaxRate: endpoint({
    method: 'PUT',
    path: '/tax/rates/:id',
    access: 'admin',
    summary: 'Replaces a rate; orders keep the rate with which they were paid',
    params: ById,
    body: TaxRateForm,
    rules: rateProblems,
    answer: SavedRate,
  }),
  deleteTaxRate: endpoint({
    method: 'DELETE',
    path: '/tax/rates/:id',
    access: 'admin',
    summary: 'Deletes a rate; orders keep the rate with which they were paid',
    params: ById,
    answer: Done,
  }),
} satisfies Contract
