/** A wish in the database's language: the terms that a product must have, and how many have them. */
import type { Known } from './vocabulary-store.ts'

/** A way to say a word: all of these at once, each in any of its forms. */
export type Way = Known[][]

/** What is asked of a product: any of the ways; `begun` also takes what the text only begins. */
export type Wish = {
  whole: Way[]
  begun: Way[]
  /** Too little of a word was typed to find a product by it alone. */
  isVague?: boolean
}

/**
 * A condition on the terms of a product, of each clause at least one, and the share of all products
 * that may fulfil it.
 */
export type Query = { clauses: number[][]; share: number }

/** Where a word must stand. */
export type Where = 'name' | 'anywhere'

/** In names every word counts; elsewhere one that says nothing is not kept. */
const termsOf = (forms: Known[], where: Where) => [
  ...new Set(
    forms
      .filter((form) => (where === 'name' ? form.in_names > 0 : !form.is_stop))
      .map(({ term, name_term }) => (where === 'name' ? name_term : term)),
  ),
]

const countOf = (form: Known, where: Where) => (where === 'name' ? form.in_names : form.in_all)

export const all = (queries: Query[]): Query | null =>
  queries.length === 0
    ? null
    : {
        clauses: queries.flatMap(({ clauses }) => clauses),
        share: queries.reduce((share, query) => share * query.share, 1),
      }

/** Where each of two has several clauses, a product must have of each of these pairs at least one. */
const either = (a: number[][], b: number[][]) =>
  a.flatMap((one) => b.map((other) => [...new Set([...one, ...other])]))

export const any = (queries: Query[]): Query | null => {
  const [first, ...others] = queries
  return first === undefined
    ? null
    : {
        clauses: others.reduce((found, { clauses }) => either(found, clauses), first.clauses),
        share: Math.min(
          1,
          queries.reduce((share, query) => share + query.share, 0),
        ),
      }
}

function wordQuery(forms: Known[], where: Where, products: number): Query | null {
  const terms = termsOf(forms, where)
  if (terms.length === 0) return null
  const count = forms.reduce((sum, form) => sum + countOf(form, where), 0)
  return { clauses: [terms], share: Math.min(1, count / Math.max(1, products)) }
}

/** Null where no product can have it. */
export function waysQuery(ways: Way[], where: Where, products: number): Query | null {
  const possible = ways.flatMap((way) => {
    const words = way.map((forms) => wordQuery(forms, where, products))
    const found = words.filter((query) => query !== null)
    return found.length === words.length ? [all(found)] : []
  })
  return any(possible.filter((query) => query !== null))
}

/** Every one of the wishes; null where no product can have them all. */
export function everyWish(
  wishes: Wish[],
  how: 'whole' | 'begun',
  where: Where,
  products: number,
): Query | null {
  const queries = wishes.map((wish) => waysQuery(wish[how], where, products))
  const found = queries.filter((query) => query !== null)
  return found.length === queries.length ? all(found) : null
}
