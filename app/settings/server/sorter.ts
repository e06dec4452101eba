import type { Database } from '#db/schema.ts'
import { settingOf } from './service.ts'

/** Sorts things by name. */
export type Sorter = <Named extends { name: string }>(list: readonly Named[]) => Named[]

/** Sorts lists that people read as the language of the shop's locale does; equal names keep their order. */
export async function sorterOf(db: Database): Promise<Sorter> {
  const { compare } = new Intl.Collator(await settingOf(db, 'locale'))
  return (list) => list.toSorted((one, other) => compare(one.name, other.name))
}
