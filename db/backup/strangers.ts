import { type Kysely, sql } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { findOurs } from './ours.ts'

/** Tables and views of all kinds, as pg_class.relkind names them. */
const KINDS = ['r', 'p', 'f', 'v', 'm']

/**
 * Throws a sentence when there is something in the database that is neither the shop's nor an
 * extension's and could be lost with it: a table or a view in the same schema, or whatever in another
 * one hangs on the shop's tables and functions.
 */
export async function refuseStrangers(db: Kysely<Schema>): Promise<void> {
  const { tables, views, routines } = await findOurs()
  const relations = [...tables, ...views]
  const { rows } = await sql<{ what: string }>`
    with ours as (
      select 'pg_class'::regclass as class, oid from pg_class
        where relnamespace = current_schema()::regnamespace and relname = any(${relations})
      union all select 'pg_proc'::regclass, oid from pg_proc
        where pronamespace = current_schema()::regnamespace and proname = any(${routines})
    ), hanging as (
      select classid, objid,
        coalesce(ev_class, conrelid, adrelid, tgrelid, indrelid, pg_proc.oid) as holder
      from pg_depend join ours on refclassid = class and refobjid = ours.oid
        left join pg_rewrite on classid = 'pg_rewrite'::regclass and pg_rewrite.oid = objid
        left join pg_constraint on classid = 'pg_constraint'::regclass and pg_constraint.oid = objid
        left join pg_attrdef on classid = 'pg_attrdef'::regclass and pg_attrdef.oid = objid
        left join pg_trigger on classid = 'pg_trigger'::regclass and pg_trigger.oid = objid
        left join pg_index on classid = 'pg_class'::regclass and indexrelid = objid
        left join pg_proc on classid = 'pg_proc'::regclass and pg_proc.oid = objid
    )
    select pg_describe_object('pg_class'::regclass, oid, 0) as what from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = any(${KINDS})
        and not relispartition and relname <> all(${relations}) and relname not like 'kysely\\_%'
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    union select pg_describe_object(classid, objid, 0) from hanging
      where holder <> 0 and not exists (select from ours where oid = holder)
    order by what`.execute(db)
  if (rows.length === 0) return
  const names = rows.map(({ what }) => what).join(', ')
  throw new Error(
    `There is something in this database that is not the shop's: ${names}. Make a database for the shop alone, name it in DATABASE_URL, and restore into that. Nothing was changed.`,
  )
}
