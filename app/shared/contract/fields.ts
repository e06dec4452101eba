import { type TSchema, type TStringOptions, Type } from 'typebox'
import type { Stripped } from '../model/visible-text.ts'

/**
 * Field types of the contracts. Each string declares the format `text` (well-formed Unicode without
 * NUL) or a pattern, so that the database accepts every valid value.
 */

/** Free text; the length counts characters (Unicode code points). */
export const Text = (options: TStringOptions & { maxLength: number }) =>
  Type.String({ format: 'text', ...options })

/** A visible character: no blank, control character or zero-width character. */
export const FILLED = '[^\\s\\p{Cc}\\p{Cf}]'

/** Text that contains a visible character. */
export const FilledText = (maxLength: number) => Text({ minLength: 1, maxLength, pattern: FILLED })

/** A schema of text from which characters that are not seen are removed before its other rules apply. */
export const stripped = <S extends TSchema>(kind: Stripped, schema: S): S => ({
  ...schema,
  'x-strips': kind,
})

/** A code: no format characters, such as a zero-width space, which come with a copied one. */
export const FilledCode = (maxLength: number) => stripped('code', FilledText(maxLength))

/** The name of a person or a thing: no characters that override the direction of text. */
export const FilledName = (maxLength: number) => stripped('name', FilledText(maxLength))

/**
 * An e-mail address as mail servers read it, without quotes, comments, brackets, lists and addresses of
 * the network: words of letters, digits and marks with dots between, `@`, and a domain with a dot.
 */
const LOCAL = "[\\p{L}\\p{M}\\p{N}!#$%&'*+\\/=?^_`\\{\\|\\}~\\-]+"
const LABEL = '[\\p{L}\\p{M}\\p{N}\\-]+'
export const EMAIL_ADDRESS = `${LOCAL}(?:\\.${LOCAL})*@(?:${LABEL}\\.)+\\p{L}${LABEL}`

const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

const UUID_TEST = new RegExp(UUID)

/** Whether the text has the form of an id. */
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && UUID_TEST.test(value)

/** The valid ids among these, deduplicated and sorted: a canonical form. */
export const idsAmong = (values: string[]): string[] =>
  [...new Set(values.filter(isId).map((id) => id.toLowerCase()))].sort()

/** An id: a UUID (version 7 where the shop creates it). */
export const Id = Type.String({ pattern: UUID, description: 'UUID' })

export const Slug = Text({ maxLength: 400, description: 'The name in URLs' })

/** The most results of a search, so that its cost stays bounded. */
export const MAX_RESULTS = 1000

/** A page number, from 1. */
export const Page = Type.Integer({ minimum: 1, default: 1, description: 'Page, counted from 1' })

export const PageQuery = Type.Object({ page: Type.Optional(Page) })

/** The entries on a page of a list, but of lists of products. */
export const LIST_PAGE_SIZE = 50

/** A text to search a list for. */
export const SearchText = (description: string) =>
  Type.Optional(stripped('words', Text({ maxLength: 5000, description })))

/** Money in major units. */
export const Price = Type.Number({
  minimum: 0,
  description: 'Major units, with at most the decimals of the currency',
})

/** A price in a request. No schema knows the shop's currency: the service refuses a price that is too high in it. */
export const GivenPrice = Type.Number({
  minimum: 0,
  description: 'Major units; at most 100,000,000 minor units of the currency, such as 1,000,000.00',
})

export const Timestamp = Type.String({ description: 'ISO 8601, UTC' })

const DAY = '^\\d{4}-\\d{2}-\\d{2}$'

/** A day in the shop's time zone, as 2026-11-21. */
export const Day = Type.String({ pattern: DAY })

/** A day in a request: must exist in the calendar. */
export const GivenDay = Type.String({
  pattern: DAY,
  format: 'day',
  description: "A day in the shop's time zone",
})

export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** Entries of a list: by their ids, or all that match its filter. */
export const SelectionOf = <S extends TSchema>(filter: S, maxIds: number) =>
  Type.Union([
    Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: maxIds }) }),
    Type.Object({
      filter,
      count: Type.Optional(
        Type.Integer({
          minimum: 0,
          description:
            'How many matched when they were seen; nothing changes if another number does',
        }),
      ),
    }),
  ])

/** An answer with a success flag and a message for the user. */
export const Done = Type.Object({ success: Type.Literal(true), message: Type.String() })

/** An answer that is not JSON: text that is streamed. */
export const Streamed = Type.Unsafe<AsyncIterable<string>>({ type: 'string', format: 'binary' })

/** Whether both are days, and the first is before the other; a rule gets also what a schema refuses. */
export const isBefore = (day: unknown, other: unknown): boolean =>
  typeof day === 'string' && typeof other === 'string' && day < other
