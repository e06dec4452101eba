/**
 * The texts that the law of the shop's country asks of an online shop, in general; a lawyer knows the rest.
 * EU and EEA: Directive 2000/31/EC, article 5 (imprint), and 2011/83/EU, articles 6 and 8 (delivery, withdrawal,
 * confirmation on a durable medium). United Kingdom: SI 2002/2013, regulation 6, and SI 2013/3134, regulations 13
 * to 16. Switzerland: UWG, article 3(1)(s): imprint, and confirmation; it knows no right of withdrawal.
 */
import type { LegalPage } from '../shared/contract/public-settings.ts'

type Rules = {
  /** The texts that a shop there needs. */
  required: readonly LegalPage[]
  /** The texts that buyers agree to before they pay, where the shop has them. */
  agreed: readonly LegalPage[]
}

const NONE: Rules = { required: [], agreed: [] }

const EUROPEAN: Rules = {
  required: ['imprint', 'terms', 'returns', 'delivery'],
  agreed: ['terms', 'returns'],
}

/** The European Union, with Iceland, Liechtenstein and Norway, and the United Kingdom. */
const EUROPEAN_COUNTRIES = (
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK ' +
  'IS LI NO GB'
).split(' ')

const SWISS: Rules = { required: ['imprint', 'terms'], agreed: ['terms'] }

/** What the seller's country (ISO 3166-1) asks for; nothing where it is not set, or not known here. */
export function legalRulesOf(country: string): Rules {
  if (EUROPEAN_COUNTRIES.includes(country)) return EUROPEAN
  return country === 'CH' ? SWISS : NONE
}

/** The title of a text's page. */
export const legalTitleOf = (page: LegalPage) => page.charAt(0).toUpperCase() + page.slice(1)
