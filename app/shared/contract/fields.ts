import { type TSchema, type TStringOptions, Type } from 'typebox'

/**
 * The field types that every contract is made of. Each string declares the format `text`
 * (well-formed Unicode without NUL) or a pattern, so that nothing the database refuses gets in.
 */

/** Free text; the length counts characters (Unicode code points). */
export const Text = (options: TStringOptions & { maxLength: number }) =>
  Type.String({ format: 'text', ...options })

/** Something that can be seen: no blank, no control character, nothing of no width. */
export const FILLED = '[^\\s\\p{Cc}\\p{Cf}]'

/** Text that must hold something besides blanks. */
export const FilledText = (maxLength: number) => Text({ minLength: 1, maxLength, pattern: FILLED })

const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

const UUID_TEST = new RegExp(UUID)

/** Whether this could be the id of anything. */
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && UUID_TEST.test(value)

/** Those that are ids, each once, in one spelling and order: however they were asked for, it is the same. */
export const idsAmong = (values: string[]): string[] =>
  [...new Set(values.filter(isId).map((id) => id.toLowerCase()))].sort()

/** The id of anything: a UUID (version 7 where we made it). */
export const Id = Type.String({ pattern: UUID, description: 'UUID' })

export const Slug = Text({ maxLength: 400, description: 'The name as it stands in addresses' })

/** A search finds as many at most, so that its work stays bounded, however large the shop. */
export const MOST_FOUND = 1000

/** A page of a list, counted from 1. */
export const Page = Type.Integer({ minimum: 1, default: 1, description: 'Page, counted from 1' })

export const PageQuery = Type.Object({ page: Type.Optional(Page) })

/** Money in major units with at most two decimals. */
export const Price = Type.Number({ minimum: 0, description: 'Major units, at most two decimals' })

export const Timestamp = Type.String({ description: 'ISO 8601, UTC' })

const DAY = '^\\d{4}-\\d{2}-\\d{2}$'

/** A day in UTC, as 2026-11-21. */
export const Day = Type.String({ pattern: DAY })

/** One that is sent: the calendar has it. */
export const GivenDay = Type.String({ pattern: DAY, format: 'day', description: 'A day in UTC' })

export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** An answer that says only that it worked, and what a person may be told. */
export const Done = Type.Object({ success: Type.Literal(true), message: Type.String() })

/** An answer that is no JSON: text that is sent as it comes to be, however long. */
export const Streamed = Type.Unsafe<AsyncIterable<string>>({ type: 'string', format: 'binary' })
