/** The rules of the ways to pay without a provider. */
import { PAYMENT_METHODS, type PaymentMethod } from '../orders/contract.ts'
import { decimalsOf, MAX_PRICE_MINOR, toMajor } from '../shared/model/minor-units.ts'
import { decimalsText, isInUnits } from '../shared/model/money-text.ts'
import { isCountry } from '../shipping/model.ts'
import type { PaymentMethodSettings, PaymentMethods } from './admin-contract.ts'
import { type Found, isFilled, markdownProblem, tooLong } from './text-model.ts'

/** The longest texts, in characters. */
const MAX_NAME = 100
const MAX_INSTRUCTIONS = 5000
/** The limits of amounts, in minor units. */
const FEE_BELOW = MAX_PRICE_MINOR
const TOTAL_BELOW = 10 * FEE_BELOW
const MAX_DAYS = 90

const nameProblem = (name: string) =>
  isFilled(name) ? tooLong(name, MAX_NAME) : 'Enter the name that customers see.'

/** Customers cannot transfer money without a bank account. */
const isAccountMissing = (
  method: PaymentMethod,
  { isOffered, instructions }: PaymentMethodSettings,
) => method === 'bank_transfer' && isOffered && !isFilled(instructions)

const instructionsProblem = (method: PaymentMethod, settings: PaymentMethodSettings) =>
  isAccountMissing(method, settings)
    ? 'Enter the bank account to which customers transfer the money.'
    : (tooLong(settings.instructions, MAX_INSTRUCTIONS) ?? markdownProblem(settings.instructions))

function countriesProblem(countries: string[]): string | null {
  const unknown = countries.find((code) => !isCountry(code))
  return unknown === undefined
    ? null
    : `“${unknown}” is no country. Enter codes of ISO 3166-1, such as IN, LK.`
}

/** A limit with the decimals of its amounts: '1,000,000 with at most two decimals'. */
const limitText = (minor: number, currency: string) =>
  `${toMajor(minor, currency).toLocaleString('en-US')} ${decimalsText(decimalsOf(currency))}`

const totalProblem = (total: number | null, currency: string) =>
  total === null ||
  (total > 0 && total < toMajor(TOTAL_BELOW, currency) && isInUnits(total, currency))
    ? null
    : `Enter an amount above 0 and below ${limitText(TOTAL_BELOW, currency)}, or nothing.`

const feeProblem = (fee: number, currency: string) =>
  fee >= 0 && fee < toMajor(FEE_BELOW, currency) && isInUnits(fee, currency)
    ? null
    : `Enter an amount below ${limitText(FEE_BELOW, currency)}.`

const daysProblem = (days: number) =>
  Number.isInteger(days) && days >= 1 && days <= MAX_DAYS
    ? null
    : `Enter a whole number from 1 to ${MAX_DAYS}.`

/** The problems of both payment methods, in the order of the form. */
export const paymentMethodProblems = (methods: PaymentMethods, currency: string): Found[] =>
  PAYMENT_METHODS.flatMap((method) => {
    const settings = methods[method]
    const problems = {
      name: nameProblem(settings.name),
      instructions: instructionsProblem(method, settings),
      fee: feeProblem(settings.fee, currency),
      maxTotal: totalProblem(settings.maxTotal, currency),
      days: daysProblem(settings.days),
      countries: countriesProblem(settings.countries),
    }
    return Object.entries(problems).map(
      ([part, message]): Found => [`paymentMethods.${method}.${part}`, message],
    )
  })
