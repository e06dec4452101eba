import { readMigrations } from '#db/migrate.ts'

const MADE = /^create (?:unlogged )?(table|view|function|procedure) (\w+)/gm

/**
 * The names of the tables, views and routines that the shop's migrations make, by their texts; whatever
 * else lies in the database is not the shop's.
 */
export async function findOurs(): Promise<{
  tables: string[]
  views: string[]
  routines: string[]
}> {
  const texts = await readMigrations()
  const made = [...texts.join('\n').matchAll(MADE)]
  const names = (isWanted: (kind: string) => boolean) => [
    ...new Set(made.filter(([, kind = '']) => isWanted(kind)).map(([, , name = '']) => name)),
  ]
  return {
    tables: names((kind) => kind === 'table'),
    views: names((kind) => kind === 'view'),
    routines: names((kind) => ['function', 'procedure'].includes(kind)),
  }
}
