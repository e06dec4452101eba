/** The versions of the legal texts. */
import { type RawBuilder, sql } from 'kysely'
import { LEGAL_PAGES, type LegalPage } from '#app/shared/contract/public-settings.ts'
import type { Database } from '#db/schema.ts'

/** The newest version of each text of those that `isOffered` leaves. */
const newest = (columns: RawBuilder<unknown>, isOffered: RawBuilder<unknown> = sql`true`) => sql`(
  select distinct on (page) page, version, ${columns} from legal_texts
  where ${isOffered} order by page, version desc)`

/** Adds a version of each text of the settings that is not that of its newest one. An empty text ends it. */
export const insertNewVersions = (tx: Database) =>
  sql`
    insert into legal_texts (page, version, text)
    select present.page, coalesce(newest.version, 0) + 1, present.text
    from (
      select page, coalesce(value ->> page, '') as text
      from settings, unnest(${[...LEGAL_PAGES]}::text[]) as page
      where name = 'shop'
    ) as present left join ${newest(sql`text`)} as newest on newest.page = present.page
    where present.text <> coalesce(newest.text, '')`.execute(tx)

/** The versions of the texts that are set, by their pages: an expression for a statement. */
export const presentVersions = sql<Partial<Record<LegalPage, number>> | null>`(
  select jsonb_object_agg(page, version) from ${newest(sql`is_empty`)} as newest where not is_empty)`

export type LegalText = { page: LegalPage; text: string }

/** The texts to which the buyer of each of these orders agreed, and the others as they were when it was placed. */
export async function selectTextsOfOrders(db: Database, orderIds: string[]) {
  const isOffered = sql`coalesce(version <= (payments.agreed_texts ->> page)::integer,
    legal_texts.created_at <= orders.created_at)`
  const { rows } = await sql<{ id: string; texts: LegalText[] }>`
    select orders.id, (
      select coalesce(jsonb_agg(jsonb_build_object('page', page, 'text', text)), '[]')
      from ${newest(sql`text, is_empty`, isOffered)} as newest where not is_empty) as texts
    from orders left join payments on payments.id = orders.payment_id
    where orders.id = any(${orderIds}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, texts }) => [id, texts]))
}
