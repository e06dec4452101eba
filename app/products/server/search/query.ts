/** A wish in the database's language: lexemes, `&` and `|`, and how many products it may find. */
import type { Known } from './vocabulary-store.ts'

/** A way to say a word: all of these at once, each in any of its forms. */
export type Way = Known[][]

/** What is asked of a product: any of the ways; `begun` also takes what the text only begins. */
export type Wish = { whole: Way[]; begun: Way[] }

/** A condition on the lexemes of a product, and the share of all products that may fulfil it. */
export type Query = { text: string; share: number }

/** Where a word must stand. */
export type Where = 'name' | 'anywhere'

/** A lexeme, whatever characters it is made of. */
const quoted = (lexeme: string) => `'${lexeme.replace(/['\\]/g, '$&$&')}'`

/** In names every word counts; elsewhere one that says nothing is not kept. */
const lexemesOf = (forms: Known[], where: Where) => [
  ...new Set(
    forms
      .filter((form) => (where === 'name' ? form.in_names > 0 : !form.is_stop))
      .map(({ stem }) => quoted(where === 'name' ? `=${stem}` : stem)),
  ),
]

const countOf = (form: Known, where: Where) => (where === 'name' ? form.in_names : form.in_all)

export const all = (queries: Query[]): Query | null =>
  queries.length === 0
    ? null
    : {
        text: queries.map(({ text }) => `(${text})`).join(' & '),
        share: queries.reduce((share, query) => share * query.share, 1),
      }

export const any = (queries: Query[]): Query | null =>
  queries.length === 0
    ? null
    : {
        text: queries.map(({ text }) => `(${text})`).join(' | '),
        share: Math.min(
          1,
          queries.reduce((share, query) => share + query.share, 0),
        ),
      }

function wordQuery(forms: Known[], where: Where, products: number): Query | null {
  const lexemes = lexemesOf(forms, where)
  if (lexemes.length === 0) return null
  const count = forms.reduce((sum, form) => sum + countOf(form, where), 0)
  return { text: lexemes.join(' | '), share: Math.min(1, count / Math.max(1, products)) }
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
  how: keyof Wish,
  where: Where,
  products: number,
): Query | null {
  const queries = wishes.map((wish) => waysQuery(wish[how], where, products))
  const found = queries.filter((query) => query !== null)
  return found.length === queries.length ? all(found) : null
}
