/** The words of the shop, and how often they stand in it. */
import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** What is read of a keyword; the rest of a very long one is not looked at. */
const LONGEST_TEXT = 1000
const MOST_WORDS = 8
const LONGEST_WORD = 60
/** Words that a beginning may stand for: the most frequent ones. */
const MOST_BEGUN = 24
/** Words that are compared with a misspelt one: the most frequent ones. */
const MOST_ALIKE = 300

/** A word of the shop: in how many names it stands, and in how many products. */
export type Known = {
  word: string
  /** What all its forms have in common. */
  stem: string
  /** It stands everywhere and says nothing. */
  is_stop: boolean
  in_names: number
  in_all: number
  /** What a product has that has any of its forms, and what one has whose name has. */
  term: number
  name_term: number
}

/** What the shop knows of a word of a keyword. */
export type Looked = {
  word: string
  is_stop: boolean
  whole: Known[]
  pair: Known[]
  pairBegun: Known[]
  begun: Known[]
}

export type Glance = {
  /** The text as names are compared. */
  text: string
  words: Looked[]
  /** How many products there are, and the number of the last one. */
  products: number
  last: number
}

/** As counted, and what came and went since. */
const knownWords = sql`(
  select word, stem, in_names, in_all, misspellings from vocabulary
  union all
  select word, stem, in_names, in_all, misspellings from vocabulary_changes
) as known_words`

const counted = sql`word, stem, stem(word) is null as is_stop,
  sum(in_names)::integer as in_names, sum(in_all)::integer as in_all,
  term(stem) as term, term('=' || stem) as name_term`

const jsonOf = (rows: ReturnType<typeof sql>) =>
  sql`(select coalesce(json_agg(found), '[]') from (${rows}) as found)`

const alive = sql`group by word, stem having sum(in_all) > 0`

/** The forms of a word that the shop has. */
const formsOf = (word: ReturnType<typeof sql>) =>
  jsonOf(sql`
  select ${counted} from ${knownWords}
  where stem = coalesce(stem(${word}), ${word}) collate "C" ${alive} order by 5 desc limit 20`)

/** The words of the shop that begin like this. */
const begunBy = (beginning: ReturnType<typeof sql>) =>
  jsonOf(sql`
  select ${counted} from ${knownWords}
  where word >= ${beginning} and word < ${beginning} || chr(1114111) ${alive}
  order by 5 desc, 1 limit ${MOST_BEGUN}`)

/**
 * The words of a text, split as those of the products are, so that no character of it is ever
 * syntax, with what the shop knows of each: its forms, those of it and its successor written as
 * one, and, where the text ends with it or with its successor, the words that begin so.
 */
export async function selectGlance(db: Database, typed: string): Promise<Glance> {
  const text = typed.slice(0, LONGEST_TEXT).trim()
  const isPrefix = sql`next is null and length(word) >=
    case when word ~ '[0-9]' then 3 when at > 1 then 1 else 2 end`
  const { rows } = await sql<Glance>`
    with given as (
      select left(lexeme, ${LONGEST_WORD}) collate "C" as word, positions[1] as at,
        lead(left(lexeme, ${LONGEST_WORD})) over by_place as next,
        lead(lexeme, 2) over by_place is null as is_nearly_last
      from unnest(to_tsvector('simple', searched(${text})))
      window by_place as (order by positions[1])
      order by positions[1] limit ${MOST_WORDS}
    )
    select folded(${text}) as text,
      (select coalesce(sum(products), 0)::integer from product_counts) as products,
      (select last_value::integer from product_numbers) as last,
      (select coalesce(json_agg(json_build_object(
        'word', word,
        'is_stop', stem(word) is null,
        'whole', ${formsOf(sql`given.word`)},
        'pair', case when next is null then '[]' else ${formsOf(sql`(given.word || next)`)} end,
        'pairBegun', case when next is not null and is_nearly_last and length(word || next) > 3
          then ${begunBy(sql`(given.word || next) collate "C"`)} else '[]' end,
        'begun', case when ${isPrefix} then ${begunBy(sql`given.word`)} else '[]' end
      ) order by at), '[]') from given) as words`.execute(db)
  const [glance] = rows
  if (!glance) throw new Error('The database did not look.')
  return glance
}

const COUNTS = sql`word, stem, in_names, in_all`

/**
 * The words whose remains are among these: they may be what was meant. Each remain is looked up by
 * itself: of thirty at once the planner expects so much that it reads the whole vocabulary.
 */
export async function selectAlike(db: Database, remains: string[]): Promise<Known[]> {
  const { rows } = await sql<Known>`
    select ${counted} from (
      select distinct found.* from unnest(${remains}::text[]) as remain
      cross join lateral (
        select tableoid, ctid, ${COUNTS} from vocabulary where misspellings @> array[remain]
        union all
        select tableoid, ctid, ${COUNTS} from vocabulary_changes
          where misspellings @> array[remain]
      ) as found
    ) as alike ${alive}
    order by 5 desc limit ${MOST_ALIKE}`.execute(db)
  return rows
}

/** Those of the words that stand in names. */
export async function selectNamed(db: Database, words: string[]): Promise<Known[]> {
  const { rows } = await sql<Known>`
    select ${counted} from ${knownWords} where word = any (${words}::text[])
    group by word, stem having sum(in_names) > 0`.execute(db)
  return rows
}
